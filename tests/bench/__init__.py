"""The benchmark: every bar on speed and size that the service has set itself, measured in one run.

Two sides are compared in short turns, one after the other and round by round, so that whatever else the machine does
falls on both. What counts is the ratio within a round; the result is the median over the rounds.
"""

"""One contract, through every door: the same calls, the same answers, the same refusals."""

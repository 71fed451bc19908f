"""The app of a tiny game: what its special actions answer of a route, straight from the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from whitehall.games.scotland_yard.findings import Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOptions,
    Nearness,
    ScanMast,
)
from whitehall.games.scotland_yard.ticket import Station

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class TinyApp:
    """Masts and landmarks on a board whose stations taxis join."""

    stations: int
    taxi: Pairs
    masts: tuple[int, ...]
    near: int
    medium: int
    scan: ScanMast
    landmarks: Mapping[str, tuple[int, ...]]
    radius: int
    window: int

    def taxi_moves(self, here: int, there: int) -> int:
        """How many taxi moves it takes, found by riding everywhere."""
        reached, moves = {here}, 0
        while there not in reached:
            reached |= {end for line in self.taxi for end in line if reached & set(line)}
            moves += 1
        return moves

    def colours(self, station: int) -> tuple[Nearness, ...]:
        moves = [self.taxi_moves(mast, station) for mast in self.masts]
        return tuple(
            Nearness.NEAR if n <= self.near else Nearness.MEDIUM if n <= self.medium else Nearness.FAR for n in moves
        )

    def scans(self, station: int) -> list[int]:
        """One distance for each mast that may be the one."""
        moves = [self.taxi_moves(mast, station) for mast in self.masts]
        return {ScanMast.RANDOM: moves, ScanMast.NEAREST: [min(moves)], ScanMast.FARTHEST: [max(moves)]}[self.scan]

    def is_at(self, landmark: str, station: int) -> bool:
        return any(self.taxi_moves(beside, station) <= self.radius for beside in self.landmarks[landmark])

    def remembered(self, route: Sequence[int]) -> list[int]:
        """The stations of the last fields of the log, the latest first. His start is on none."""
        return list(reversed(route[1:]))[: self.window]

    def marks(self, route: Sequence[int]) -> tuple[str, ...]:
        """The landmarks where he was lately."""
        return tuple(name for name in self.landmarks if any(self.is_at(name, s) for s in self.remembered(route)))

    def moves_ago(self, landmark: str, route: Sequence[int]) -> int:
        return [self.is_at(landmark, station) for station in self.remembered(route)].index(True)

    def answers_fit(self, answers: Sequence[Answer], route: Sequence[int]) -> bool:
        """Whether the app could have given these answers at the end of this route."""
        return all(self.fits(answer, route) for answer in answers)

    def fits(self, answer: Answer, route: Sequence[int]) -> bool:
        match answer:
            case Located(colours):
                return colours == self.colours(route[-1])
            case Scanned(distance):
                return distance in self.scans(route[-1])
            case Interrogated(marks):
                return marks == self.marks(route)
            case StatementHeard(str(landmark), ago):
                return landmark in self.marks(route) and ago == self.moves_ago(landmark, route)
        return True

    def draws(self, answers: Sequence[Answer], station: int) -> int:
        """In how many ways the masts of the scans can have been drawn to give these answers."""
        number = 1
        for answer in answers:
            if isinstance(answer, Scanned):
                number *= self.scans(station).count(answer.distance or 0)
        return number

    def random_answers(self, random: Random, route: Sequence[int]) -> tuple[Answer, ...]:
        """What up to two special actions answer at the end of this route."""
        answers: list[Answer] = []
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            match random.choice(["locate", "scan", "interrogate", "interrogate"]):
                case "locate":
                    answers.append(Located(self.colours(route[-1])))
                case "scan":
                    answers.append(Scanned(random.choice(self.scans(route[-1]))))
                case _:
                    marks = self.marks(route)
                    answers.append(Interrogated(marks))
                    if len(marks) == 1 or (marks and random.random() < 0.7):
                        heard = random.choice(marks)
                        answers.append(StatementHeard(heard, self.moves_ago(heard, route)))
        return tuple(answers)

    def false_answers(self, random: Random) -> tuple[Answer, ...]:
        """An answer out of thin air, and perhaps a statement with it."""
        marks = tuple(name for name in self.landmarks if random.random() < 0.4)
        answers: list[Answer] = [Scanned(random.randint(0, 4))] if random.random() < 0.3 else [Interrogated(marks)]
        if isinstance(answers[0], Interrogated) and marks and random.random() < 0.5:
            answers.append(StatementHeard(random.choice(marks), random.randrange(self.window)))
        return tuple(answers)

    def options(self) -> MasterOptions:
        """The same for the functions under test."""
        landmarks = [Landmark(name, tuple(map(Station, beside))) for name, beside in self.landmarks.items()]
        return MasterOptions(
            actions_per_round=2,
            action_when_surfaced=True,
            per_game_cap=0,
            cooldown=0,
            offered=4,
            masts=tuple(map(Station, self.masts)),
            locate_near=self.near,
            locate_medium=self.medium,
            scan_mast=self.scan,
            analysis_start=AnalysisStart.CARDS,
            landmarks=tuple(landmarks),
            near_radius=self.radius,
            recent_window=self.window,
            meeting_fields=(),
            meeting_distance=1,
            meetings_to_survive=0,
            meetings_to_win=0,
            announce_visit=False,
            helicopter_tickets=2,
            helicopter_grant=HelicopterGrant.START,
            helicopter_in_double=True,
            helicopter_reaches=False,
            stuck_win_needs_meeting=True,
        )


def tiny_app(random: Random, stations: int, taxi: Pairs) -> TinyApp:
    """An app for a board, at random."""
    everywhere = range(1, stations + 1)
    near = random.randint(0, 2)
    names = random.sample(["Abbey", "Bank", "Castle", "Docks", "Exchange"], random.randint(1, 5))
    return TinyApp(
        stations=stations,
        taxi=taxi,
        masts=tuple(random.sample(everywhere, random.randint(1, 4))),
        near=near,
        medium=near + random.randint(0, 2),
        scan=random.choice([ScanMast.RANDOM, ScanMast.RANDOM, ScanMast.NEAREST, ScanMast.FARTHEST]),
        landmarks={name: tuple(sorted(random.sample(everywhere, random.randint(1, 2)))) for name in names},
        radius=random.choice([0, 0, 0, 1]),
        window=random.randint(1, 4),
    )

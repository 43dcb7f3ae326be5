"""Who is who in a debate: spellings of one agent, names that earlier rounds do not know, and which of them may be one agent.

The rules are those of the model `stg_agent_names`, which decides for lines that landed. A name of a later round that round 0 does not
know is unknown, unless the planned agents leave room for it. It may be of any agent that never stood beside it in a round.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Debate, Found, Rejected, shape_of

Names = Sequence[Sequence[str]]
BY_POSITION = "by_position"
EXAMPLE = """\
agents:                             # spellings of one agent, where a log has several (optional)
  Judge: [judge-agent, "JUDGE"]
  ada: {pattern: "ada.*"}           # a regular expression for the whole name
"""
#: A name longer than this may be a text, and is told by its length and hash.
MAX_NAME = 100
#: Names that are told one by one, and that are kept and compared at all.
SHOWN = 8
MAX_NAMES = 500


@dataclass(frozen=True)
class Aliases:
    """Spellings of agents: ``names`` (spelling → agent), ``patterns`` for whole names, ``by_position`` where names never meet."""

    names: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[tuple[re.Pattern[str], str], ...] = ()
    by_position: bool = False
    agents: tuple[str, ...] = ()

    def agent_of(self, name: str) -> str:
        """The agent of a name: its own where no spelling and no pattern has it. Raises Bad where patterns give it to two agents."""
        if name in self.agents or name in self.names:
            return self.names.get(name, name)
        found = sorted({agent for pattern, agent in self.patterns if pattern.fullmatch(name)})
        if len(found) > 1:
            raise Bad(f"the name {shown(name)} fits the patterns of {' and '.join(found)}", "make the patterns under agents narrower")
        return found[0] if found else name


def read_aliases(value: Any, place: str, key: str = "agents") -> Aliases:
    """Aliases from what a mapping has under ``key``; ``place`` is the mapping's file. Raises ValueError with the mend."""

    def wrong(what: str) -> ValueError:
        return ValueError(f"{place}: {what}, as in\n{EXAMPLE.replace('agents', key)}or {key}: {BY_POSITION}")

    if value is None or value == BY_POSITION:
        return Aliases(by_position=value == BY_POSITION)
    if not isinstance(value, dict):
        raise wrong(f"{key} is {shape_of(value)}; it has to be an object, agent → spellings")
    names: dict[str, str] = {}
    patterns: list[tuple[re.Pattern[str], str]] = []
    agents = [str(agent).strip() for agent in value]
    for agent, spellings in zip(agents, value.values(), strict=True):
        for one in spellings if isinstance(spellings, list) else [spellings]:
            if isinstance(one, dict) and list(one) == ["pattern"] and isinstance(one["pattern"], str):
                try:
                    patterns.append((re.compile(one["pattern"]), agent))
                except re.error as error:
                    raise wrong(f"{key}.{agent}: the pattern is no regular expression ({error})") from error
            elif isinstance(one, (str, int)) and not isinstance(one, bool):
                name = str(one).strip()
                if names.setdefault(name, agent) != agent or (name in agents and name != agent):
                    raise wrong(f"{key}: {name} is a spelling of two agents")
            else:
                raise wrong(f"{key}.{agent} holds {shape_of(one)}; a spelling is a text, or a pattern")
    return Aliases(names, tuple(patterns), agents=tuple(dict.fromkeys(agents)))


def settled(debate: Debate, aliases: Aliases) -> Debate:
    """The debate with its agents under one name each. Raises Bad where two names of one round would be one agent."""
    if not (aliases.agents or aliases.by_position):
        return debate
    rounds = [[replace(a, agent_id=aliases.agent_of(a.agent_id)) for a in panel] for panel in debate.rounds]
    for number, (panel, stated) in enumerate(zip(rounds, debate.rounds, strict=True)):
        first: dict[str, str] = {}
        for agent, was in zip(panel, stated, strict=True):
            other = first.setdefault(agent.agent_id, was.agent_id)
            if other != was.agent_id:
                raise Bad(
                    f"round {number}: {shown(other)} and {shown(was.agent_id)} would be one agent, {shown(agent.agent_id)}",
                    "two agents of a round are two: correct the spellings under agents",
                )
    if aliases.by_position:
        rounds = [_placed(panel, [a.agent_id for a in rounds[0]]) for panel in rounds]
    return replace(debate, rounds=rounds, agents=aliases.agents)


def settle(found: Iterable[Found], aliases: Callable[[], Aliases], tally: Tally) -> Iterator[Found]:
    """What a reader finds, its debates `settled` and counted; ``aliases`` are asked for once the reader has read its mapping."""
    for one in found:
        if isinstance(one, Debate):
            try:
                one = settled(one, aliases())
            except Bad as error:
                one = Rejected(one.file, error.reason, error.mend, one.record, one.line, rounds=len(one.rounds) - 1)
            else:
                tally.add([[a.agent_id for a in panel] for panel in one.rounds], one.n_agents, one.agents)
        yield one


def _placed(panel: list[Agent], first: list[str]) -> list[Agent]:
    """A round under the names of round 0, by position; as it is where its length differs, or a name of round 0 stands elsewhere."""
    if len(panel) != len(first) or any(a.agent_id != f and a.agent_id in first for a, f in zip(panel, first, strict=True)):
        return panel
    return [replace(a, agent_id=f) for a, f in zip(panel, first, strict=True)]


def unknown_names(names: Names, planned: int | None = None, listed: Iterable[str] = ()) -> list[str]:
    """Names of later rounds that neither round 0 nor a list of agents knows; none where no more names stand there than were planned."""
    found = list(dict.fromkeys(n for panel in names for n in panel))
    known = {*names[0], *listed}
    return [] if planned is not None and len(found) <= planned else [n for n in found if n not in known]


def doubts(names: Names, unknown: Iterable[str]) -> list[tuple[str, str]]:
    """(unknown name, name of a debate that never stands beside it in a round): the two may be one agent."""
    everybody = list(dict.fromkeys(n for panel in names for n in panel))
    beside = {u: {n for panel in names if u in panel for n in panel} for u in unknown}
    return [(u, n) for u, others in beside.items() for n in everybody if n not in others]


_AGENT = re.compile(r"^(.+?) ?agent$")
_VERSION = re.compile(r"^(.+?) ?v(?:ersion)? ?(\d+)$")
_NUMBER = re.compile(r"^(.+?) ?(\d+)$")


@lru_cache(maxsize=4 * MAX_NAMES)
def _forms(name: str) -> set[tuple[str, str, str]]:
    """(name without case, blanks, hyphens and some of its suffixes, version and number that were taken off)."""
    plain = re.sub(r"[\W_]+", " ", name.casefold()).strip() or name
    found = {(plain, "", "")}
    for _ in range(3):
        for text, version, number in list(found):
            if match := _AGENT.match(text):
                found.add((match[1], version, number))
            if not version and (match := _VERSION.match(text)):
                found.add((match[1], match[2].lstrip("0"), number))
            elif not number and (match := _NUMBER.match(text)):
                found.add((match[1], version, match[2].lstrip("0") or "0"))
    return {(text.replace(" ", ""), version, number) for text, version, number in found}


def are_alike(one: str, other: str) -> bool:
    """Whether two names differ by case, blanks, hyphens or a suffix alone: agent, a version, a number that the other does not have."""
    return any(a == b and (not v or not w or v == w) and (not m or not n or m == n) for a, v, m in _forms(one) for b, w, n in _forms(other))


def proposals(names: Mapping[str, int]) -> dict[str, str]:
    """Name → agent that it may be a spelling of; ``names`` counts how often each stands in round 0.

    An agent's proposed name is the most frequent one in round 0. A name that is like two which are not alike has no proposal.
    """
    like = {n: [o for o in names if o != n and are_alike(n, o)] for n in names}
    clear = [n for n in names if like[n] and all(are_alike(a, b) for a in like[n] for b in like[n])]
    groups: list[list[str]] = []
    for name in sorted(clear, key=lambda n: (-names[n], len(n), n)):
        fitting = next((g for g in groups if all(name in like[m] for m in g)), None)
        if fitting is None:
            groups.append([name])
        else:
            fitting.append(name)
    return {name: group[0] for group in groups if len(group) > 1 for name in group}


def shown(name: str) -> str:
    """A name as it is told; a long one, which may be a text, by its length and hash."""
    data = name.encode("utf-8", "surrogatepass")
    return name if len(data) <= MAX_NAME else f"(name of {len(data)} bytes, {hashlib.md5(data).hexdigest()[:8]})"


def proposed_text(proposed: Mapping[str, str]) -> str:
    """Proposals as the `agents` of a mapping: {Judge: [JUDGE, judge-agent]}."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, agent in sorted(proposed.items()):
        if name != agent:
            groups[agent].append(shown(name))
    return "{" + ", ".join(f"{shown(a)}: [{', '.join(n)}]" for a, n in sorted(groups.items())) + "}"


@dataclass
class Tally:
    """Names of the debates of an import or a file that earlier rounds do not know, counted."""

    n_debates: int = 0
    n_unknown: int = 0
    n_uncounted: int = 0
    #: Debates by unknown name, of the first names of that kind.
    unknown: Counter[str] = field(default_factory=Counter)
    #: How often a name that may be of one agent with another stands in round 0; likewise.
    in_doubt: Counter[str] = field(default_factory=Counter)

    def add(self, names: Names, planned: int | None = None, listed: Iterable[str] = ()) -> None:
        """Count a debate."""
        self.n_debates += 1
        if all(panel == names[0] for panel in names[1:]):
            return
        unknown = unknown_names(names, planned, listed)
        if not unknown:
            return
        doubtful = doubts(names, unknown)
        self.n_unknown += 1
        self.n_uncounted += bool(doubtful)
        for name in unknown:
            if name in self.unknown or len(self.unknown) < MAX_NAMES:
                self.unknown[name] += 1
        for name in dict.fromkeys(n for pair in doubtful for n in pair):
            if name in self.in_doubt or len(self.in_doubt) < MAX_NAMES:
                self.in_doubt[name] += name in names[0]

    def proposed(self) -> dict[str, str]:
        """Name → agent, of names that may be spellings of one."""
        return proposals(self.in_doubt)

    def listed(self) -> dict[str, Any]:
        """The same for the receipt."""
        return {
            "debates": self.n_unknown,
            "flips_not_counted": self.n_uncounted,
            "names": {shown(n): c for n, c in self.unknown.most_common()},
            "proposed": {shown(n): shown(a) for n, a in sorted(self.proposed().items()) if n != a},
        }

    def told(self) -> Iterator[str]:
        """Sentences on what was found: none where every name is known."""
        if not self.n_unknown:
            return
        names = [f"{shown(n)} ({c:,})" for n, c in self.unknown.most_common(SHOWN)]
        more = " and more" if len(self.unknown) > SHOWN else ""
        text = f"{self.n_unknown:,} of {self.n_debates:,} debates hold names of agents that earlier rounds do not know"
        text = f"{text}: {', '.join(names)}{more}"
        if not self.n_uncounted:
            yield f"{text}; each stood beside all others, so flips are counted"
            return
        yield f"{text}; flips of {self.n_uncounted:,} of them are not counted"
        proposed = self.proposed()
        if proposed:
            yield f"names that may be of one agent, if so take them into the mapping: agents: {proposed_text(proposed)}"
        else:
            yield (
                "give spellings of one agent under agents in the mapping or in seeds/agent_aliases.csv, or read agents by position"
                " (--agents-by-position) if their order is the same in all rounds"
            )

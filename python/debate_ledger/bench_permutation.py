"""Times of the exact tests, each in a process of its own so that its peak memory is known (part of `make bench`)."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from debate_ledger.permutation import exact_partial_spearman, exact_spearman, monte_carlo_spearman
from debate_ledger.ranks import mid_ranks

Values = list[float]


def example(n: int, tied: bool = True) -> tuple[Values, Values, Values]:
    """Three vectors of n values; with ties on the outcome where ``tied``, as in the published rows."""
    rng = np.random.default_rng(n)
    x, y, z = (list(map(float, rng.permutation(n))) for _ in range(3))
    return x, [max(v, 1.0) for v in y] if tied else y, z


def scipy_test(x: Values, y: Values) -> float:
    """The p of scipy's exact permutation test of Spearman's correlation, in its fastest form: all pairings, vectorised over ranks."""
    a, b = mid_ranks(x) - (len(x) + 1) / 2, mid_ranks(y) - (len(y) + 1) / 2

    def statistic(values: np.ndarray, axis: int = -1) -> np.ndarray:
        # Rounded, since sums of halves in another order differ in the last digit and equal orders must count as equal.
        return np.round((values * b).sum(axis=axis), 6)

    return float(stats.permutation_test((a,), statistic, permutation_type="pairings", vectorized=True, n_resamples=np.inf).pvalue)


def _timed(job: Callable[[], object], runs: int) -> tuple[float, object]:
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        result = job()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[len(seconds) // 2], result


def _run(name: str, answer: multiprocessing.queues.Queue) -> None:
    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "scipy, n = 9": (lambda: scipy_test(*example(9)[:2]), 3),
        "exact, n = 9": (lambda: exact_spearman(*example(9)[:2]).p_two_sided, 101),
        "exact, n = 14, ties": (lambda: exact_spearman(*example(14)[:2]).p_two_sided, 5),
        "exact, n = 18": (lambda: exact_spearman(*example(18, tied=False)[:2]).p_two_sided, 1),
        "exact, n = 20": (lambda: exact_spearman(*example(20, tied=False)[:2]).p_two_sided, 1),
        "exact partial, n = 11": (lambda: exact_partial_spearman(*example(11)).p_two_sided, 3),
        "exact partial, n = 13": (lambda: exact_partial_spearman(*example(13), largest=13).p_two_sided, 1),
        "exact partial, n = 14": (lambda: exact_partial_spearman(*example(14), largest=14, max_bytes=10**10).p_two_sided, 1),
        "Monte Carlo, n = 25, 100,000 orders": (lambda: monte_carlo_spearman(*example(25)[:2]).p_two_sided, 3),
    }
    job, runs = jobs[name]
    try:
        seconds, p = _timed(job, runs)
    except Exception as error:
        # The other side waits for an answer.
        answer.put(error)
        return
    answer.put((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, p))


#: What is measured, and the aim that the page names beside it.
MEASURED = {
    "scipy, n = 9": "",
    "exact, n = 9": "",
    "exact, n = 14, ties": "below 1 s",
    "exact, n = 18": "below 20 s",
    "exact, n = 20": "",
    "exact partial, n = 11": "below 3 s",
    "exact partial, n = 13": "",
    "exact partial, n = 14": "about a minute",
    "Monte Carlo, n = 25, 100,000 orders": "",
}


def measure_exact() -> dict[str, tuple[float, float, float]]:
    """(seconds, peak bytes, p) of each job. Raises RuntimeError where scipy's p is another one."""
    context = multiprocessing.get_context("spawn")
    found = {}
    for name in MEASURED:
        answer = context.Queue()
        process = context.Process(target=_run, args=(name, answer))
        process.start()
        result = answer.get()
        process.join()
        if isinstance(result, Exception):
            raise result
        found[name] = result
    if abs(found["scipy, n = 9"][2] - found["exact, n = 9"][2]) > 1e-12:
        raise RuntimeError(f"scipy and the exact test disagree: {found}")
    return found


def exact_report(found: dict[str, tuple[float, float, float]]) -> str:
    """The part of the page about exact tests."""
    lines = [
        "",
        "## Exact tests",
        "",
        "Two-sided tests of Spearman's correlation over every order (`debate_ledger.permutation`), each in a process of its own: the",
        "imports take about 0.1 GB. scipy is `scipy.stats.permutation_test` over all pairings, vectorised over ranks; its p is the same.",
        "",
        "| | seconds | peak memory | aim |",
        "| --- | ---: | ---: | --- |",
        *(f"| {name} | {s:.4f} | {peak / 1e9:.2f} GB | {MEASURED[name]} |" for name, (s, peak, _) in found.items()),
        f"| **scipy ÷ exact, n = 9** | {found['scipy, n = 9'][0] / found['exact, n = 9'][0]:,.0f} | | at least 200 |",
    ]
    return "\n".join(lines) + "\n"

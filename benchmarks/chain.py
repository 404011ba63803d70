"""Training a CRF: ours beside python-crfsuite, on the same made-up data, in one run; and the cost of one prefix step.

    python -m benchmarks.chain --size small|medium|large [--threads N]

Both minimise the same objective (every feature x state and every transition, the same L2) until it stands still to about
seven digits. Only training is timed: neither pays for laying its input out as objects, ours pays for its own layout.
python-crfsuite uses one thread; so does ours unless --threads says otherwise. The ratio is of processor seconds as well as
of the clock's: on a machine that others use, the first is the fairer one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

SIZES = {"small": 122, "medium": 2000, "large": 20_000}
LENGTH, ACTIVE, STATES, VOCABULARY = 9, 60, 52, 3000
L2 = 1.0


class Seconds(NamedTuple):
    """By the clock and by the processor."""

    clock: float
    processor: float

    @classmethod
    def now(cls) -> Seconds:
        return cls(time.perf_counter(), time.process_time())

    def since(self, began: Seconds) -> Seconds:
        return Seconds(self.clock - began.clock, self.processor - began.processor)


def made_up(count: int, seed: int = 0) -> tuple[Any, Any]:
    """Sequences of a Markov chain; each position shows 60 words, of which a few tell its state. Words fall off like 1/rank."""
    import numpy as np
    import scipy.sparse as sp

    rng = np.random.default_rng(seed)
    steps = rng.dirichlet(np.full(STATES, 0.1), STATES).cumsum(axis=1)
    labels = np.zeros((count, LENGTH), dtype=np.int64)
    labels[:, 0] = rng.integers(0, STATES, count)
    for t in range(1, LENGTH):
        labels[:, t] = (rng.random(count)[:, None] > steps[labels[:, t - 1]]).sum(axis=1).clip(max=STATES - 1)
    flat = labels.ravel()
    frequency = (1.0 / np.arange(1, VOCABULARY + 1)).cumsum()
    telling = rng.integers(0, VOCABULARY, (STATES, 40))
    words = np.searchsorted(frequency / frequency[-1], rng.random((flat.size, 4 * ACTIVE)))
    words[:, :5] = telling[flat[:, None], rng.integers(0, 40, (flat.size, 5))]
    chosen = [distinct(row, ACTIVE) for row in words.clip(max=VOCABULARY - 1)]
    indices = np.concatenate(chosen)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in chosen])])
    X = sp.csr_array((np.ones(indices.size), indices, starts), shape=(flat.size, VOCABULARY))
    return X, flat


def distinct(row: Any, most: int) -> Any:
    """The first `most` different words."""
    import numpy as np

    _, first = np.unique(row, return_index=True)
    return np.sort(row[np.sort(first)[:most]])


def train_peer(X: Any, labels: Any, folder: Path) -> tuple[Seconds, float, int]:
    """Seconds, objective and iterations of python-crfsuite."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    for first in range(0, X.shape[0], LENGTH):
        items = [
            [str(word) for word in X.indices[X.indptr[row] : X.indptr[row + 1]]] for row in range(first, first + LENGTH)
        ]
        trainer.append(pycrfsuite.ItemSequence(items), [str(label) for label in labels[first : first + LENGTH]])
    trainer.select("lbfgs")
    trainer.set_params(
        {
            "c1": 0.0,
            "c2": L2,
            "max_iterations": 1000,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "num_memories": 10,
            "epsilon": 1e-6,
            "delta": 1e-7,
        }
    )
    began = Seconds.now()
    trainer.train(str(folder / "peer.crfsuite"))
    seconds = Seconds.now().since(began)
    last = trainer.logparser.last_iteration
    return seconds, float(last["loss"]), int(last["num"])


def train_ours(X: Any, labels: Any) -> tuple[Seconds, Any]:
    """Seconds and the model."""
    import numpy as np

    from trailmark.sequence import CRF, Sequences

    began = Seconds.now()
    sequences = Sequences(X, np.full(X.shape[0] // LENGTH, LENGTH), labels=labels)
    model = CRF(n_states=STATES, l2_state=L2, l2_edge=L2).fit(sequences)
    return Seconds.now().since(began), model


def prefix_step(model: Any, X: Any, links: int = 1000) -> dict[str, float]:
    """Microseconds of the processor a link for state scores, alpha and delta: all links of one page, and links of as many pages."""
    import numpy as np

    candidates = X[:links]
    shared = np.zeros(STATES)
    taken = {}
    for name, before in (("one prefix", shared), ("own prefixes", np.zeros((candidates.shape[0], STATES)))):
        best = float("inf")
        for _ in range(5):
            began = time.process_time()
            scores = model.state_scores(candidates)
            model.extend_alpha(before, scores)
            model.extend_delta(before, scores)
            best = min(best, time.process_time() - began)
        taken[name] = best / candidates.shape[0] * 1e6
    return taken


def report(name: str, seconds: Seconds, objective: float, iterations: int) -> None:
    took = f"{seconds.clock:9.2f} s ({seconds.processor:.2f} of the processor)"
    print(f"{name:16s} {took}   objective {objective:.8g}   {iterations} iterations", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=list(SIZES), default="medium")
    parser.add_argument("--threads", type=int, default=1, help="threads of the linear algebra (ours only)")
    chosen = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(chosen.threads)
    X, labels = made_up(SIZES[chosen.size])
    print(
        f"{SIZES[chosen.size]} sequences x {LENGTH} positions x {X.nnz / X.shape[0]:.0f} of {VOCABULARY} features, {STATES} states; {chosen.threads} thread(s)"
    )
    ours, model = train_ours(X, labels)
    report("ours", ours, model.objective_, model.iterations_)
    with tempfile.TemporaryDirectory() as folder:
        theirs, loss, iterations = train_peer(X, labels, Path(folder))
    report("python-crfsuite", theirs, loss, iterations)
    print(
        f"ratio {theirs.clock / ours.clock:.2f} by the clock, {theirs.processor / ours.processor:.2f} by the processor"
    )
    print(f"relative difference of the objectives {abs(model.objective_ - loss) / loss:.1e}")
    for name, micro in prefix_step(model, X).items():
        print(f"prefix step, {name}: {micro:.2f} microseconds a link (scores, alpha and delta)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Second opinions: everything by listing all paths, slowly and literally; and small random models to ask about."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import scipy.sparse as sp

from trailmark.sequence import CRF, Sequences, Weights


def paths(model: Any, X: Any, E: Any, allowed: Any) -> Any:
    """(path, score) of every path, by the definition W . F(x, y)."""
    K = model.n_states
    w = model.weights_
    sharing = np.eye(K) if model.sharing is None else np.asarray(model.sharing, float)
    forbidden = np.zeros((K, K), bool) if model.forbidden is None else np.asarray(model.forbidden)
    for path in itertools.product(range(K), repeat=X.shape[0]):
        score = w.start[path[0]]
        for i, y in enumerate(path):
            if allowed is not None and not allowed[i, y]:
                score = -np.inf
            score += sum(
                X[i, f] * w.state[f, g] * sharing[g, y] for f in range(X.shape[1]) for g in range(len(sharing))
            )
            if i:
                score += w.edge[path[i - 1], y]
                if E is not None:
                    score += sum(E[i, m] * w.conditioned[m, path[i - 1], y] for m in range(E.shape[1]))
                if forbidden[path[i - 1], y]:
                    score = -np.inf
        yield path, score


def log_z(scored: Any) -> Any:
    return np.logaddexp.reduce([score for _, score in scored])


def pieces(sequences: Any) -> Any:
    """(X, E, allowed) of each sequence, dense."""
    X = sequences.split(sequences.X.toarray())
    E = [None] * len(sequences) if sequences.E is None else sequences.split(sequences.E.toarray())
    allowed = sequences.allowed_states
    allowed = [None] * len(sequences) if allowed is None else sequences.split(allowed)
    return list(zip(X, E, allowed, strict=True))


def random_weights(
    rng: np.random.Generator,
    *,
    features: int = 4,
    groups: int = 3,
    states: int = 3,
    conditioned: int = 0,
    size: float = 1.0,
) -> Any:
    return Weights(
        rng.normal(0, size, (features, groups)),
        rng.normal(0, size, (states, states)),
        rng.normal(0, size, states),
        rng.normal(0, size, (conditioned, states, states)),
    )


def random_sequences(
    rng: np.random.Generator,
    *,
    lengths: Any = (3, 1, 4, 3, 2),
    features: int = 4,
    states: int = 3,
    conditioned: int = 0,
    masks: bool = False,
    labels: str = "known",
) -> Any:
    n = sum(lengths)
    X = sp.csr_array(rng.integers(0, 3, (n, features)) * (rng.random((n, features)) < 0.7).astype(float))
    E = sp.csr_array(rng.integers(0, 2, (n, conditioned)).astype(float)) if conditioned else None
    allowed = rng.random((n, states)) < 0.75 if masks else None
    if allowed is not None:
        allowed[np.arange(n), rng.integers(0, states, n)] = True
    choices = np.ones((n, states), bool) if allowed is None else allowed
    known = np.array([rng.choice(np.flatnonzero(row)) for row in choices])
    if labels == "known":
        given = known
    elif labels == "unknown":
        given = np.where(rng.random(n) < 0.5, -1, known)
    else:
        given = rng.random((n, states)) < 0.5
        given[np.arange(n), known] = True
    return Sequences(
        X, np.array(lengths), labels=given, E=E, allowed_states=allowed, weights=rng.random(len(lengths)) + 0.5
    )


def random_model(
    rng: np.random.Generator,
    *,
    conditioned: int = 0,
    sharing: Any = None,
    forbidden: Any = None,
    size: float = 1.0,
    states: int = 3,
    features: int = 4,
    **settings: Any,
) -> Any:
    groups = states if sharing is None else len(sharing)
    weights = random_weights(rng, groups=groups, states=states, conditioned=conditioned, size=size, features=features)
    return CRF(n_states=states, sharing=sharing, forbidden=forbidden, **settings)._take(weights)

"""Chain models: the conditional random field and its baselines, with forward, backward, Viterbi and single steps. Pure."""

from trailmark.sequence.crf import CRF
from trailmark.sequence.explanation import contributions
from trailmark.sequence.hmm import HMM
from trailmark.sequence.inference import edge_marginals, possible
from trailmark.sequence.maxent import MaxEnt
from trailmark.sequence.naive_bayes import NaiveBayes
from trailmark.sequence.prefix import (
    chance_of,
    extend_alpha,
    extend_delta,
    log_odds,
    probabilities,
    step_potentials,
)
from trailmark.sequence.rewards import local_transitions, position_rewards
from trailmark.sequence.sequences import UNKNOWN, Sequences
from trailmark.sequence.weights import Weights, binary_hierarchy

__all__ = [
    "CRF",
    "HMM",
    "UNKNOWN",
    "MaxEnt",
    "NaiveBayes",
    "Sequences",
    "Weights",
    "binary_hierarchy",
    "chance_of",
    "contributions",
    "edge_marginals",
    "extend_alpha",
    "extend_delta",
    "local_transitions",
    "log_odds",
    "position_rewards",
    "possible",
    "probabilities",
    "step_potentials",
]

"""Chain models: the conditional random field and its baselines, with forward, backward, Viterbi and single steps. Pure."""

from trailmark.sequence.crf import CRF
from trailmark.sequence.sequences import UNKNOWN, Sequences
from trailmark.sequence.weights import Weights, binary_hierarchy

__all__ = ["CRF", "UNKNOWN", "Sequences", "Weights", "binary_hierarchy"]

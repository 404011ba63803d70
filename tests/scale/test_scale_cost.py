"""The paper calculation of a large crawl: units are right, and nothing grows but what should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.scale_cost import Measured, cost_of


def test_a_calculation_done_by_hand() -> None:
    """3.6 million pages at 1 ms are one core hour; at 10 KB each and nothing else they are .036 TB."""
    plain = Measured(
        pages=3.6e6, sites=3_600, forage_ms=1, overhead=0, extract_ms=2, page_kb=10, packed_share=0.5, kept_kb=10,
        row_bytes=0, record_bytes=0, delay=1, cores=2, worker_mb=500, part_sites=10, core_hour=1, gb_month=1, thousand_puts=0,
    )  # fmt: skip
    cost = cost_of(plain)
    assert cost.forage_core_hours == pytest.approx(1)
    assert cost.extract_core_hours == pytest.approx(2)
    assert cost.core_dollars == pytest.approx(3)
    assert (cost.network_tb, cost.stored_tb) == pytest.approx((0.018, 0.036))
    assert cost.storage_dollars == pytest.approx(36)
    assert cost.hours_by_cores == pytest.approx(0.5)
    assert cost.hours_by_parts == pytest.approx(50)
    assert cost.hours_by_politeness == pytest.approx(1000 / 3600)
    assert (cost.requests_a_second, cost.memory_gb) == pytest.approx((2000, 1))


def test_more_cores_cost_no_more_and_do_not_hurry_politeness() -> None:
    few, many = cost_of(Measured()), cost_of(replace(Measured(), cores=640))
    assert many.dollars == few.dollars
    assert many.hours_by_politeness == few.hours_by_politeness
    assert many.hours_by_cores == pytest.approx(few.hours_by_cores / 10)

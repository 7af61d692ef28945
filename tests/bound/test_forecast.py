"""Forecasts of sweeps, against the sweeps that proofs of rows of 60 and 100 tiles needed."""

from statistics import median

import pytest

from solver.bound.sweeps.campaign import Need, forecast

# a sweep of a proof, and the sweep that proved the best score: claims and racks
PROOFS = [
    ((1105, 2_219_947), (1052, 53_694_081)),
    ((1093, 11_550_262), (1052, 53_694_081)),
    ((1069, 22_672_076), (1052, 53_694_081)),
    ((1159, 6_156_604), (1047, 109_646_450)),
    ((1075, 20_508_800), (1047, 109_646_450)),
    ((1136, 1_293_918), (1037, 173_343_449)),
    ((1124, 5_147_979), (1037, 173_343_449)),
    ((1052, 78_438_810), (1037, 173_343_449)),
    ((1146, 5_316_594), (1050, 76_103_841)),
    ((1118, 2_437_471), (1050, 76_103_841)),
    ((1114, 1_535_819), (1043, 157_418_956)),
    ((1107, 5_606_597), (1043, 157_418_956)),
    ((1093, 9_557_250), (1043, 157_418_956)),
    ((1101, 7_816_656), (1053, 122_818_146)),
    ((1113, 2_404_591), (1051, 119_485_790)),
    ((1104, 9_147_851), (1051, 119_485_790)),
    ((723, 1_350_000), (688, 11_880_000)),
]


def test_forecasts_are_near_what_the_last_sweeps_of_proofs_needed() -> None:
    off = [forecast(Need(*sweep, 0, 0.0), claim).racks / racks for sweep, (claim, racks) in PROOFS]
    assert 0.5 < median(off) < 2
    assert sum(0.25 < one < 2 for one in off) >= len(off) - 2


def test_a_forecast_scales_racks_bytes_and_seconds_alike() -> None:
    last = Need(1100, 2_000_000, 16_000_000, 20.0)
    near, far = forecast(last, 1090), forecast(last, 1050)
    assert forecast(last, 1100) == last
    assert last.racks < near.racks < far.racks
    assert far.size / last.size == pytest.approx(far.racks / last.racks)
    assert str(Need(1050, 53_700_000, 1_240_000_000, 400.0)) == "53.7 million racks, 7 min, 1.2 GB"


def test_a_forecast_of_a_huge_gap_is_a_number() -> None:
    assert "inf" not in str(forecast(Need(9_999, 100_000, 800_000, 1.0), 1))

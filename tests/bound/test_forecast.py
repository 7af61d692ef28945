"""Forecasts of sweeps, against the sweeps that proofs of rows of 100 tiles needed."""

import pytest

from solver.bound.sweeps.forecast import Measured, forecast


def of_sweep(claim: int, racks: int) -> Measured:
    return Measured(claim, racks, 8 * racks, racks / 1e5)


# two sweeps after each other in the proofs of shuffled rows, and the sweep that proved the best score: claims and racks
PROOFS = [
    ((1105, 2_219_947), (1093, 11_550_262), (1052, 53_694_081)),
    ((1093, 11_550_262), (1069, 22_672_076), (1052, 53_694_081)),
    ((1173, 1_235_727), (1159, 6_156_604), (1047, 109_646_450)),
    ((1131, 4_693_413), (1075, 20_508_800), (1047, 109_646_450)),
    ((1136, 1_293_918), (1124, 5_147_979), (1037, 173_343_449)),
    ((1100, 5_256_632), (1052, 78_438_810), (1037, 173_343_449)),
    ((1160, 1_098_977), (1146, 5_316_594), (1050, 76_103_841)),
    ((1146, 5_316_594), (1118, 2_437_471), (1050, 76_103_841)),
    ((1114, 1_535_819), (1107, 5_606_597), (1043, 157_418_956)),
    ((1107, 5_606_597), (1093, 9_557_250), (1043, 157_418_956)),
    ((1109, 1_953_896), (1101, 7_816_656), (1053, 122_818_146)),
    ((1113, 2_404_591), (1104, 9_147_851), (1051, 119_485_790)),
]


@pytest.mark.parametrize(("before", "last", "final"), PROOFS)
def test_a_forecast_covers_what_the_last_sweep_of_a_proof_needed(
    before: tuple[int, int], last: tuple[int, int], final: tuple[int, int]
) -> None:
    need = forecast([of_sweep(*before), of_sweep(*last)], final[0])
    few, many = need.racks
    assert few < final[1] < many
    assert need.size == pytest.approx((8 * few, 8 * many))
    assert need.seconds == pytest.approx((few / 1e5, many / 1e5))


def test_a_forecast_grows_with_the_gap_even_if_the_last_sweep_needed_less_than_the_one_before() -> None:
    fewer = [of_sweep(1146, 5_316_594), of_sweep(1118, 2_437_471)]
    near, far = forecast(fewer, 1100), forecast(fewer, 1050)
    assert 2_437_471 < near.racks[0] < near.racks[1] < far.racks[1]


def test_a_forecast_of_a_huge_gap_is_a_number() -> None:
    need = forecast([of_sweep(10_000, 1_000), of_sweep(9_999, 100_000)], 1)
    assert "inf" not in str(need)


@pytest.mark.parametrize(
    ("first", "final"),
    [
        ((1105, 2_219_947), (1052, 53_694_081)),
        ((1136, 1_293_918), (1037, 173_343_449)),
        ((1113, 2_404_591), (1051, 119_485_790)),
        ((1114, 1_535_819), (1043, 157_418_956)),
        ((723, 1_350_000), (688, 11_880_000)),  # a row of 60 tiles
    ],
)
def test_a_forecast_from_the_first_sweep_alone_covers_what_the_last_one_needed(
    first: tuple[int, int], final: tuple[int, int]
) -> None:
    few, many = forecast([of_sweep(*first)], final[0]).racks
    assert few < final[1] < many


def test_two_sweeps_that_prove_the_same_count_as_one() -> None:
    twice = [of_sweep(1100, 2_000_000), of_sweep(1100, 9_000_000)]
    assert forecast(twice, 1050) == forecast(twice[1:], 1050)

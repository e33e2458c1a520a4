"""Which releases are not even offered to a device."""

import pytest
from fakes.releases import manifest
from voxcard.errors import VoxcardError
from voxcard.releases.fitness import Target, check

HALL = {
    "id": "hall", "greeted": True, "board": "diy-s3-oled", "firmware": "0.1.0+aa", "kind": "files",
}  # fmt: skip


def test_what_fits_is_offered():
    check(manifest(), Target(**HALL))
    check(manifest(), Target(**{**HALL, "firmware": "0.2.0+1f3a9c2e"}))
    check(manifest(allow_older=True), Target(**{**HALL, "firmware": "0.3.0+aa"}))


def test_of_a_device_that_was_not_here_yet_the_device_decides():
    check(manifest(), Target(id="hall", greeted=False))


def test_a_version_that_cannot_be_compared_is_left_to_the_device():
    check(manifest(), Target(**{**HALL, "firmware": "mine"}))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"kind": ""}, "hall takes no updates over the network .*voxcard device deploy"),
        ({"board": "m5-atom-echo"}, "for the board diy-s3-oled, this is m5-atom-echo"),
        ({"kind": "image"}, "of kind files, this device takes image"),
        ({"firmware": "0.3.0+aa"}, "0.2.0 is older than the 0.3.0 that runs"),
    ],
)
def test_what_a_device_would_not_take_is_refused_with_the_reason(changes, problem):
    with pytest.raises(VoxcardError, match=problem):
        check(manifest(), Target(**{**HALL, **changes}))

"""Virtual environments with pinned packages of PyPI, and packages of Debian. Imported, never run."""

import os
import shutil
import subprocess
import sys
import venv

import stage as stages

HERE = os.path.dirname(os.path.abspath(__file__))


def environment(name, folder=HERE):
    """The Python of .build/NAME with what NAME.txt of this folder pins; made anew when the list changes."""
    place = os.path.join(stages.REPOSITORY, ".build", name)
    wanted, stamp = os.path.join(folder, name + ".txt"), os.path.join(place, name + ".txt")
    shown = os.path.relpath(wanted, stages.REPOSITORY)
    python = os.path.join(place, "bin/python3")
    if os.path.exists(stamp) and read(stamp) == read(wanted):
        return python
    print(f"installing what {shown} lists", file=sys.stderr, flush=True)
    venv.create(place, clear=True, with_pip=True)
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
         "--requirement", wanted], stdout=sys.stderr, check=False)
    if installed.returncode:
        raise SystemExit(
            f"error: PyPI did not give what {shown} lists. Look whether this machine reaches it.")
    shutil.copyfile(wanted, stamp)
    return python


def install_packages(option):
    """Installs the packages of Debian that this option of install-dependencies names."""
    if subprocess.run([os.path.join(stages.REPOSITORY, "scripts/install-dependencies"), option], check=False).returncode:
        raise SystemExit("error: Debian's packages could not be installed. Look whether this machine reaches a mirror.")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

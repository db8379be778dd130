"""Installs and builds what the benchmark needs: Debian packages, a virtual environment, both programs as
they are released, and the C programs to compare with. Imported, never run."""

import os
import shlex
import shutil
import subprocess
import sys
import venv

from measure import HERE, REPOSITORY

BUILD = os.path.join(REPOSITORY, ".build")
HOME = os.path.join(BUILD, "benchmarks")


def say(text):
    print(text, file=sys.stderr, flush=True)


def packages():
    subprocess.run(
        [os.path.join(REPOSITORY, "scripts/install-dependencies"), "--benchmarks"], check=True)


def environment():
    """The virtual environment with the pinned packages; made anew when the list changes."""
    place = os.path.join(HOME, "venv")
    wanted = os.path.join(HERE, "requirements.txt")
    stamp = os.path.join(place, "requirements.txt")
    if os.path.exists(stamp) and read(stamp) == read(wanted):
        return place
    say("installing what benchmarks/requirements.txt lists")
    venv.create(place, clear=True, with_pip=True)
    subprocess.run(
        [os.path.join(place, "bin/python3"), "-m", "pip", "install", "--quiet",
         "--disable-pip-version-check", "--require-hashes", "--requirement", wanted],
        check=True, stdout=sys.stderr)
    shutil.copyfile(wanted, stamp)
    return place


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def product(name):
    """Builds a program as `scripts/package` does; returns the path of a copy without symbols, as it is
    installed: pages of a file that the linker has just written are slower to map."""
    options = subprocess.run(
        [os.path.join(REPOSITORY, "scripts/release-options")],
        check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    subprocess.run(["swift", "build", *options, "--product", name], check=True, stdout=sys.stderr)
    shown = subprocess.run(
        ["swift", "build", *options, "--show-bin-path"],
        check=True, stdout=subprocess.PIPE, text=True)
    place = os.path.join(HOME, "programs")
    os.makedirs(place, exist_ok=True)
    copy = os.path.join(place, name)
    subprocess.run(
        ["strip", "-o", copy, os.path.join(shown.stdout.strip(), name)], check=True)
    return copy


def programs():
    """Builds syncd and demo-api; returns the directory."""
    return os.path.dirname([product(name) for name in ["syncd", "demo-api"]][0])


def alternatives():
    """Compiles each C program where it, or a header, is newer; returns the directory."""
    place = os.path.join(HOME, "alternatives")
    os.makedirs(place, exist_ok=True)
    folder = os.path.join(HERE, "alternatives")
    names = sorted(os.listdir(folder))
    headers = [os.path.join(folder, name) for name in names if name.endswith(".h")]
    shown = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libcurl", "sqlite3", "jansson"],
        check=True, stdout=subprocess.PIPE, text=True)
    libraries = shlex.split(shown.stdout)
    for name in names:
        base, kind = os.path.splitext(name)
        if kind != ".c":
            continue
        source, target = os.path.join(folder, name), os.path.join(place, base)
        newest = max(os.path.getmtime(path) for path in [source, *headers])
        if os.path.exists(target) and os.path.getmtime(target) > newest:
            continue
        subprocess.run(
            ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", target,
             "-Wl,--as-needed", *libraries, "-lpthread"],
            check=True)
    return place

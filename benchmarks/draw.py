"""Draws the plots that figures.json holds as SVG; runs in the virtual environment, with matplotlib.

usage: draw.py FIGURES FOLDER"""

import json
import os
import sys

import matplotlib

matplotlib.use("svg")
# The same figures give the same bytes.
matplotlib.rcParams.update({"svg.hashsalt": "syncd", "svg.fonttype": "none", "font.size": 9})
import matplotlib.pyplot as plt  # noqa: E402


def draw(plot, path):
    figure, axes = plt.subplots(figsize=(6.4, 4))
    for mark, (label, points) in zip("osD^vPX*", plot["lines"].items()):
        # A curve over time has too many points to mark.
        mark = mark if len(points) < 100 else None
        axes.plot(*zip(*points), marker=mark, markersize=4, linewidth=1, label=label)
    if plot["log"]:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.set(title=plot["title"], xlabel=plot["x"], ylabel=plot["y"])
    axes.grid(True, which="major", linewidth=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plots = json.load(file)["plots"]
    for name, plot in plots.items():
        draw(plot, os.path.join(sys.argv[2], name + ".svg"))


if __name__ == "__main__":
    main()

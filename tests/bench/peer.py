"""Peer side of the benchmark: one task a process, driven over standard input.

Reads a line "run", performs the task once and prints the seconds it took;
"mem" prints the peak resident memory in MB; end of input ends it.
"""
import resource
import sys
import time

import numpy as np


def gaussian(n, d):
    return np.random.RandomState(1).standard_normal((n, d))


def data(n, d):
    if (n, d) == (1797, 64):
        from sklearn.datasets import load_digits
        return load_digits().data
    return gaussian(n, d)


def kpca(solver, n, d, gamma):
    from sklearn.decomposition import KernelPCA
    x = data(n, d)

    def run():
        KernelPCA(n_components=10, kernel="rbf", gamma=gamma, eigen_solver=solver,
                  random_state=1, copy_X=False).fit(x)
    return run


def gram(n, d, gamma):
    from sklearn.metrics.pairwise import rbf_kernel
    x = data(n, d)
    return lambda: rbf_kernel(x, gamma=gamma)


def main():
    task, n, d, gamma = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    if task == "gram":
        run = gram(n, d, gamma)
    else:
        run = kpca(task, n, d, gamma)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "run":
            start = time.perf_counter()
            run()
            print(time.perf_counter() - start, flush=True)
        else:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


main()

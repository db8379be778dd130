import Glibc

/// Tests of ownership give files away, which only root may do.
let isRoot = geteuid() == 0
let somebodyElse: UInt32 = 65_534

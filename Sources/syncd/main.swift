import Commands

SyncdProgram.main()

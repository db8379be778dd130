import DemoServer
import Glibc

exit(DemoProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))

/** Entry of the bundled program: the command line, on any Node from 20 on. */
import './old-node.ts'
import '../cli/bench.ts'

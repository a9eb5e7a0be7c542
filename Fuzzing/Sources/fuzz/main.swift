// fuzz --target=NAME [options and folders of libFuzzer]: runs a target until libFuzzer ends.
// fuzz --list: prints each target and the longest input that is worth a try.
//
// libFuzzer passes over options that begin with two dashes, and hands them on to the processes that it starts.
import FuzzTargets
import LibFuzzer

let option = "--target="
let name = CommandLine.arguments.first { $0.hasPrefix(option) }?.dropFirst(option.count)
if CommandLine.arguments.contains("--list") {
    for target in FuzzTarget.all { print(target.name, target.maximumLength) }
    exit(EXIT_SUCCESS)
}
guard let found = FuzzTarget.all.first(where: { name == $0.name[...] }) else {
    print("error: no target is chosen, or there is none of this name; see --list")
    exit(EXIT_FAILURE)
}
// A global, for the function that libFuzzer calls can capture nothing.
let target = found

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
    do throws(Violation) {
        _ = try target.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
    } catch {
        fatalError(error.description)
    }
    return 0
}
exit(status)

// Decodes an Apple Lossless file that FFmpeg wrote, many times, and prints the time: lossless-decoder FILE COUNT. For
// `make bench`, which runs FFmpeg's decoder beside it.
import AppleLossless
import CoreAudioFile
import Foundation
import Glibc

let arguments = CommandLine.arguments
guard arguments.count == 3, let repetitions = Int(arguments[2]), repetitions > 0 else {
    print("usage: lossless-decoder FILE COUNT")
    exit(64)
}
let file = try CoreAudioFile(Array(Data(contentsOf: URL(filePath: arguments[1]))))

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

var frameCount = 0
var sum: Int32 = 0
let start = processorTime()
for _ in 0..<repetitions {
    var decoder = AppleLosslessDecoder(configuration: file.configuration)
    for packet in file.packets {
        let samples = try decoder.decode(packet)
        frameCount += samples.count / file.configuration.channelCount
        // Without a use, the decoder could be left out.
        sum &+= samples.last ?? 0
    }
}
let elapsed = processorTime() - start
print(#"{"event":"decoded","frames":\#(frameCount),"processorSeconds":\#(elapsed),"sum":\#(sum)}"#)

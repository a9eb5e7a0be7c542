// Plays files as an app does, for the tests of the home's page: radio-app TITLE PICTURE FILE…. It prints each call of the picker's
// delegate.
import AVKit
import Foundation
import RadioApp

@MainActor
final class PickerDelegate: NSObject, AVRoutePickerViewDelegate {
    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) { say("picker opened") }
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) { say("picker closed") }

    private func say(_ text: String) {
        print(text)
        fflush(stdout)
    }
}

let arguments = CommandLine.arguments
try configureLongFormAudio()
let radio = RadioPlayer(urls: arguments.dropFirst(3).map { URL(fileURLWithPath: $0) })
radio.setUpRemoteCommands()
radio.player.play()
radio.showNowPlaying(
    title: arguments[1],
    artist: "A Band",
    duration: 60,
    jpeg: try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
)
let shown = MainActor.assumeIsolated { () -> (AVRoutePickerView, PickerDelegate) in
    let picker = AVRoutePickerView()
    let delegate = PickerDelegate()
    picker.delegate = delegate
    picker.prioritizesVideoDevices = true
    return (picker, delegate)
}
RunLoop.main.run()

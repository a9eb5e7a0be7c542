import AVFoundation
import Foundation
import MediaRouting
import PeerProcess
import Testing

@testable import AVKit

/// The picker of an app while the home's page shows its own, which is for all apps.
@Suite struct PagePickerTests {
    init() {
        _ = TestReceiver.routeFile
    }

    @MainActor
    private final class Delegate: NSObject, AVRoutePickerViewDelegate {
        var calls: [String] = []

        func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {
            calls.append(routePickerView.isPresentingRoutes ? "late begin" : "begin")
        }

        func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {
            calls.append(routePickerView.isPresentingRoutes ? "early end" : "end")
        }
    }

    @Test @MainActor func thePickerOfThePageTellsTheAppsDelegate() async throws {
        let file = RouteFile(path: NSTemporaryDirectory() + "hearth-page-picker-\(UUID()).json")
        try file.write(RouteChoice(interfaces: ["127.0.0.1"]))
        defer {
            for path in [file.path, file.players] { try? FileManager.default.removeItem(atPath: path) }
        }
        let routes = MediaRoutes(file)
        let delegate = Delegate()
        let picker = AVRoutePickerView(routes: routes)
        picker.delegate = delegate
        picker.prioritizesVideoDevices = true
        let directory = PlayerDirectory(file) {}
        try await Wait.until("the app is known") {
            await directory.update()
            return await directory.players.first?.status.prioritizesVideo == true
        }
        await directory.present(true)
        try await Wait.until("the page's picker opened") { picker.isPresentingRoutes }
        #expect(delegate.calls == ["begin"])
        // The app's own one beside it is the same to the delegate.
        picker.beginPresentingRoutes()
        await directory.present(false)
        try await Wait.until("the page's picker closed") { !routes.server.isPresented }
        #expect(delegate.calls == ["begin"])
        picker.endPresentingRoutes()
        try await Wait.until("both are closed") { !picker.isPresentingRoutes }
        #expect(delegate.calls == ["begin", "end"])
        await directory.present(true)
        try await Wait.until("the page's picker opened") { picker.isPresentingRoutes }
        // A page that is closed or crashes takes its picker with it.
        await directory.close()
        try await Wait.until("the page is gone") { !picker.isPresentingRoutes }
        #expect(delegate.calls == ["begin", "end", "begin", "end"])
        await routes.server.stop()
    }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// From Apple's article about AirPlay in apps, without SwiftUI and UIKit: the colors, and what embeds the view.
import AVFoundation
import AVKit

@MainActor
public struct DevicePickerView {
    @MainActor
    public class Coordinator: NSObject, AVRoutePickerViewDelegate {
        public private(set) var isPresenting = false

        public func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {
            isPresenting = true
        }

        public func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {
            isPresenting = false
        }
    }

    @MainActor
    public struct Context {
        public let coordinator = Coordinator()

        public init() {}
    }

    public init() {}

    public func makeUIView(context: Context) -> AVRoutePickerView {
        let routePickerView = AVRoutePickerView()

        // Configure the button's color.
        routePickerView.delegate = context.coordinator

        // Indicate whether your app prefers video content.
        routePickerView.prioritizesVideoDevices = true

        return routePickerView
    }
}

public final class RouteWatcher {
    public let routeDetector = AVRouteDetector()
    public private(set) var routeDetected = false
    private var observer: NSObjectProtocol?

    public init() {
        observer = NotificationCenter.default.addObserver(
            forName: .AVRouteDetectorMultipleRoutesDetectedDidChange,
            object: routeDetector,
            queue: .main
        ) { [weak self] _ in
            guard let self = self else { return }
            self.routeDetected = self.routeDetector.multipleRoutesDetected
        }
        routeDetector.isRouteDetectionEnabled = true
    }

    deinit {
        if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    }
}

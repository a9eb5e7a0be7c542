public import Foundation

/// A delegate of a route picker.
/// - Since: iOS 11.0
@MainActor
public protocol AVRoutePickerViewDelegate: NSObjectProtocol {
    /// The picker starts to present receivers.
    /// - Since: iOS 11.0
    func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView)

    /// The picker has stopped presenting receivers.
    /// - Since: iOS 11.0
    func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView)
}

extension AVRoutePickerViewDelegate {
    /// Does nothing.
    public func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {}

    /// Does nothing.
    public func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {}
}

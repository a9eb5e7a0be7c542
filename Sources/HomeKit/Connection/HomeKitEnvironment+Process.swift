import Foundation
import HubClient
import LocalRPCSockets

extension HomeKitEnvironment {
    /// The environment of this process: the app that its variables or its Info.plist name, and the hub's usual socket.
    static let process: HomeKitEnvironment = {
        let app = AppIdentity(variables: ProcessInfo.processInfo.environment, executable: Bundle.main.executableURL)
        return HomeKitEnvironment(app: app.identifier, purpose: app.purpose) {
            UnixSocketTransport(path: HubSocketPath.standard())
        }
    }()
}

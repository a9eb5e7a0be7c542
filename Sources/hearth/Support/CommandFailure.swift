import AccessorySimulator
import DNSSD
import Foundation
import HomeKit
import HomeModel
import HomeStore
import HubAPI

/// An error of a command: a code for scripts and a reason for users.
struct CommandFailure: Error, Hashable, Sendable {
    /// The error's code, such as `nameTaken`.
    var name: String
    /// The problem and the next step.
    var reason: String
    /// The code of the accessory's problem, if known.
    var trouble: String?

    /// Creates a failure.
    init(_ name: String, _ reason: String, trouble: String? = nil) {
        self.name = name
        self.reason = reason
        self.trouble = trouble
    }

    /// Creates a failure from another module's error, with its code.
    init(describing error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as HubError: self.init(error.code.rawValue, error.reason, trouble: error.trouble?.rawValue)
        case let error as HomeError: self.init(error.code.rawValue, error.reason)
        case let error as StoreError: self.init(error.code.rawValue, error.reason)
        case let error as DNSSDError: self.init(error.code.rawValue, error.reason)
        case let error as SimulatorError: self.init(error.code.rawValue, error.reason)
        case let error as HMError: self.init("\(error.code)", error.localizedDescription)
        default: self.init("failed", "\(error)")
        }
    }
}

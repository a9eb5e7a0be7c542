import AccessorySimulator
import DNSSD
import Foundation
import HomeKit
import HomeModel
import HomeStore
import HubAPI

/// Why a command failed: a name for scripts, a reason for people.
struct CommandFailure: Error, Hashable, Sendable {
    /// The error's name, such as `nameTaken`.
    var name: String
    /// What is wrong and what to do.
    var reason: String
    /// What is the matter with the accessory that it is about, in one word, where that is known.
    var trouble: String?

    /// Makes a failure of the command's own.
    init(_ name: String, _ reason: String, trouble: String? = nil) {
        self.name = name
        self.reason = reason
        self.trouble = trouble
    }

    /// Takes over an error of one of the parts, under its own name.
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

public import Foundation
import HubAPI

/// An accessory that isn't on a network yet.
///
/// A browser creates accessories; apps don't. Properties can be read from any thread and never change.
/// - Since: iOS 8.0
open class EAWiFiUnconfiguredAccessory: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    /// The hub's ID of the accessory.
    let id: UUID

    /// The accessory's name.
    /// - Since: iOS 8.0
    public let name: String
    /// The accessory's manufacturer.
    /// - Since: iOS 8.0
    public let manufacturer: String
    /// The accessory's model.
    /// - Since: iOS 8.0
    public let model: String
    /// The name of the network that the accessory itself opens for its configuration.
    /// - Since: iOS 8.0
    public let ssid: String
    /// The accessory's MAC address, as six pairs of hexadecimal digits separated by colons.
    /// - Since: iOS 8.0
    public let macAddress: String
    /// The technologies that the accessory supports.
    /// - Since: iOS 8.0
    public let properties: EAWiFiUnconfiguredAccessoryProperties

    init(_ accessory: UnconfiguredAccessory) {
        id = accessory.id
        name = accessory.name
        manufacturer = accessory.manufacturer
        model = accessory.model
        ssid = accessory.network
        macAddress = accessory.macAddress
        let words: [(String, EAWiFiUnconfiguredAccessoryProperties)] = [
            (UnconfiguredAccessory.airPlay, .supportsAirPlay), (UnconfiguredAccessory.airPrint, .supportsAirPrint),
            (UnconfiguredAccessory.homeKit, .supportsHomeKit),
        ]
        properties = EAWiFiUnconfiguredAccessoryProperties(
            words.filter { accessory.supports.contains($0.0) }.map(\.1)
        )
    }
}

package import HAP

/// The advertisement of an accessory that is being configured, as the entries of its TXT record.
///
/// Before an accessory joins a network, its manufacturer, model and abilities are in the beacons of its own access point.
/// Entries of the TXT record stand in for the beacons here: `manufacturer`, `model`, `ssid` and `supports`.
package struct SetupAdvertisement: Hashable, Sendable {
    /// What an accessory supports once it is on the network.
    package struct Features: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// AirPlay.
        package static let airPlay = Features(rawValue: 1 << 0)
        /// AirPrint.
        package static let airPrint = Features(rawValue: 1 << 1)
        /// HomeKit.
        package static let homeKit = Features(rawValue: 1 << 2)

        fileprivate static let names: [(Features, String)] = [
            (.airPlay, "airplay"), (.airPrint, "airprint"), (.homeKit, "homekit"),
        ]
    }

    private enum Key {
        static let deviceID = "deviceid"
        static let seed = "seed"
        static let features = "features"
        static let flags = "flags"
        static let protocolVersion = "protovers"
        static let sourceVersion = "srcvers"
        static let manufacturer = "manufacturer"
        static let model = "model"
        static let network = "ssid"
        static let supports = "supports"
    }

    /// The bit of `features` for configurations as TLV8, the only form.
    private static let supportsTLV = 1 << 2
    /// The bit of `flags` for an accessory that isn't configured.
    private static let isUnconfigured = 1 << 1

    /// The accessory's MAC address, which is also its HAP device ID if it supports HomeKit.
    package var deviceID: DeviceID
    /// A number that increases with each attempt to join a network.
    package var seed: UInt32
    /// The manufacturer.
    package var manufacturer: String
    /// The model.
    package var model: String
    /// The name of the accessory's own access point.
    package var network: String
    /// What the accessory supports.
    package var features: Features

    /// Creates an advertisement.
    package init(
        deviceID: DeviceID,
        seed: UInt32 = 0,
        manufacturer: String = "",
        model: String = "",
        network: String = "",
        features: Features = .homeKit
    ) {
        self.deviceID = deviceID
        self.seed = seed
        self.manufacturer = manufacturer
        self.model = model
        self.network = network
        self.features = features
    }

    /// Reads an advertisement.
    ///
    /// - Parameter value: A closure that returns the value of a key.
    /// - Returns: `nil` if the device ID is missing or invalid, or if the accessory doesn't support this kind of
    ///   configuration.
    package init?(_ value: (String) -> String?) {
        guard let deviceID = value(Key.deviceID).flatMap({ DeviceID($0) }),
            let features = value(Key.features).flatMap(Self.number), features & Self.supportsTLV != 0
        else { return nil }
        self.deviceID = deviceID
        seed = value(Key.seed).flatMap { UInt32($0) } ?? 0
        manufacturer = value(Key.manufacturer) ?? ""
        model = value(Key.model) ?? ""
        network = value(Key.network) ?? ""
        let words = (value(Key.supports) ?? "").split(separator: ",").map(String.init)
        self.features = Features(Features.names.filter { words.contains($0.1) }.map(\.0))
    }

    /// The entries of the TXT record, in order.
    package var entries: [(key: String, value: String)] {
        let supports = Features.names.filter { features.contains($0.0) }.map(\.1).joined(separator: ",")
        return [
            (Key.deviceID, deviceID.description), (Key.seed, "\(seed)"), (Key.features, "\(Self.supportsTLV)"),
            (Key.flags, "\(Self.isUnconfigured)"), (Key.protocolVersion, "1.0"), (Key.sourceVersion, "1.0"),
            (Key.manufacturer, manufacturer), (Key.model, model), (Key.network, network), (Key.supports, supports),
        ]
    }

    /// Reads a decimal number, or a hexadecimal one after `0x`.
    private static func number(_ text: String) -> Int? {
        text.lowercased().hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
}

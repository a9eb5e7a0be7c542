@testable import ControllerFiles
@testable import HAP

extension FuzzTarget {
    /// Other controllers' pairing files.
    static let controllerFiles = FuzzTarget("controller-files", maximumLength: 1_024) { input throws(Violation) in
        let file: ControllerFile
        do throws(ControllerFileError) {
            file = try ControllerFile(reading: input)
        } catch {
            return false
        }
        try hold((1...ControllerFile.maximumPairings).contains(file.entries.count), "the entries are counted")
        try hold((try? ControllerFile(reading: input)) == file, "a file reads the same each time")
        var isAnyOfUse = false
        for entry in file.entries {
            guard let pairing = try? entry.pairing.get() else { continue }
            isAnyOfUse = true
            try hold(entry.deviceID == pairing.deviceID, "an entry is of the accessory that its pairing is with")
            try hold(pairing.port.map { (1...65_535).contains($0) } ?? true, "a port is one")
            try hold(!pairing.hosts.contains(""), "a host is one")
            try hold(Set(pairing.hosts).count == pairing.hosts.count, "hosts are unique")
            let again = try? ControllerFile(reading: written(pairing)).entries.map { try $0.pairing.get() }
            try hold(again == [pairing], "a written pairing is read back")
        }
        return isAnyOfUse
    }

    /// Returns a file with one pairing.
    private static func written(_ pairing: ExternalPairing) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("Lamp")
            writer.object { writer in
                writer.member("AccessoryPairingID", pairing.deviceID.description)
                writer.member("AccessoryLTPK", pairing.accessoryPublicKey.description)
                writer.member("iOSPairingId", pairing.controllerIdentity.pairingID.description)
                writer.member("iOSDeviceLTSK", pairing.controllerIdentity.keyPair.seed.hexadecimal)
                writer.member("iOSDeviceLTPK", pairing.controllerIdentity.keyPair.publicKey.description)
                writer.key("AccessoryIPs")
                writer.array { writer in
                    for host in pairing.hosts { writer.write(host) }
                }
                if let port = pairing.port { writer.member("AccessoryPort", port) }
            }
        }
        return writer.bytes
    }
}

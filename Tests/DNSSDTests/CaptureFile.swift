import Foundation
import PeerProcess

@testable import DNSSD

/// The packets of a ``VirtualNetwork`` in a file for Wireshark's `tshark`.
enum CaptureFile {
    /// The format's constants: magic number, version, and the link type of packets with an IPv4 header.
    private enum Format {
        static let magic: UInt32 = 0xA1B2_C3D4
        static let version: (UInt16, UInt16) = (2, 4)
        static let snapLength: UInt32 = 65_535
        static let startsWithIPv4: UInt32 = 228
    }

    /// Runs tshark on the packets.
    ///
    /// - Parameter options: The fields to print, and their form.
    /// - Returns: The lines that tshark prints.
    static func dissect(_ log: [VirtualNetwork.Transmission], _ options: String) async throws -> [Substring] {
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).pcap")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes(of: log)).write(to: file)
        return try await ShellScript.run("tshark -r \(file.path) \(options) 2>/dev/null").split(separator: "\n")
    }

    private static func bytes(of log: [VirtualNetwork.Transmission]) -> [UInt8] {
        var file = Format.magic.littleEndianBytes
        file += Format.version.0.littleEndianBytes + Format.version.1.littleEndianBytes
        file += [UInt8](repeating: 0, count: 8) + Format.snapLength.littleEndianBytes
        file += Format.startsWithIPv4.littleEndianBytes
        for transmission in log {
            let datagram = datagram(transmission)
            let (seconds, attoseconds) = transmission.at.sinceStart.components
            file += UInt32(seconds).littleEndianBytes + UInt32(attoseconds / 1_000_000_000_000).littleEndianBytes
            file += UInt32(datagram.count).littleEndianBytes + UInt32(datagram.count).littleEndianBytes + datagram
        }
        return file
    }

    /// Returns a packet with UDP and IPv4 headers, without checksums.
    private static func datagram(_ transmission: VirtualNetwork.Transmission) -> [UInt8] {
        let destination: Endpoint? =
            switch transmission.destination {
            case .group:
                IPAddress(MulticastEndpoint.groupIPv4).map { Endpoint(address: $0, port: MulticastEndpoint.port) }
            case .unicast(let endpoint): endpoint
            }
        let size = UInt16(28 + transmission.packet.count)
        var datagram: [UInt8] = [0x45, 0] + size.bigEndianBytes + [0, 0, 0, 0, 255, 17, 0, 0]
        datagram += [10, 0, 0, UInt8(transmission.host + 1)] + (destination?.address.bytes ?? [])
        datagram += MulticastEndpoint.port.bigEndianBytes + (destination?.port ?? 0).bigEndianBytes
        datagram += (size - 20).bigEndianBytes + [0, 0]
        return datagram + transmission.packet
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

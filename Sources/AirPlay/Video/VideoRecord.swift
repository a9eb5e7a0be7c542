/// The description of a receiver of video in its TXT record. Its instance name is its name.
package enum VideoRecord {
    /// The service's type.
    package static let serviceType = "_airplay._tcp"
    /// Video and HLS, without what needs Apple's keys.
    static let features = 0x11

    /// Returns the keys and values of the TXT record.
    package static func txt(name: String) -> [(key: String, value: String)] {
        [
            ("deviceid", deviceID(name: name)), ("features", "0x\(String(features, radix: 16))"), ("flags", "0x4"),
            ("model", "Hearth"), ("srcvers", VideoResponse.version),
        ]
    }

    /// Returns the ID, with colons.
    static func deviceID(name: String) -> String {
        let digits = Array(ReceiverRecord.deviceID(of: name))
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(separator: ":")
    }
}

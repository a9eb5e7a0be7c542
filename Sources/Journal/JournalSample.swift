package import Foundation

/// A numeric value of a sensor at one time.
package struct JournalSample: Hashable, Sendable {
    /// The characteristic that a sample is of.
    package struct Source: Hashable, Sendable {
        /// The home.
        package var home: UUID
        /// The accessory.
        package var accessory: UUID
        /// The characteristic's instance ID.
        package var iid: UInt64

        /// Creates a source.
        package init(home: UUID, accessory: UUID, iid: UInt64) {
            self.home = home
            self.accessory = accessory
            self.iid = iid
        }
    }

    /// The characteristic.
    package var source: Source
    /// When the value arrived.
    package var time: Date
    /// The value.
    package var value: Double

    /// Creates a sample.
    package init(_ source: Source, time: Date, value: Double) {
        self.source = source
        self.time = time
        self.value = value
    }

    /// The number of the sample's minute since 1970. The journal keeps the last sample of each minute.
    var minute: Int64 { Int64((time.timeIntervalSince1970 / 60).rounded(.down)) }
}

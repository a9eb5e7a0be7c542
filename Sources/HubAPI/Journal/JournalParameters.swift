package import Foundation

/// Selects entries of the journal.
package struct JournalQuery: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The object that the entries are about: an accessory, an action set or a trigger; `nil` for all.
    package var about: UUID?
    /// The earliest time; `nil` for no limit.
    package var since: Date?
    /// The ID of an entry, to continue with older entries than that; `nil` to begin with the newest.
    package var before: UUID?
    /// The number of entries, 1 to ``HubProtocol/journalEntriesPerPage``.
    package var limit: Int

    /// Creates a query.
    package init(home: UUID, about: UUID? = nil, since: Date? = nil, before: UUID? = nil, limit: Int) {
        self.home = home
        self.about = about
        self.since = since
        self.before = before
        self.limit = limit
    }
}

/// Entries of the journal.
package struct JournalPage: Hashable, Sendable, Codable {
    /// The entries.
    package var entries: [JournalEntry]

    /// Creates a page.
    package init(entries: [JournalEntry]) {
        self.entries = entries
    }
}

/// Selects recorded values of an accessory's sensors. If there are ``HubProtocol/journalSamplesPerPage`` in the reply, the
/// client continues after the latest of their times.
package struct JournalSampleQuery: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessory.
    package var accessory: UUID
    /// The earliest time.
    package var since: Date

    /// Creates a query.
    package init(home: UUID, accessory: UUID, since: Date) {
        self.home = home
        self.accessory = accessory
        self.since = since
    }
}

/// The recorded values of an accessory's sensors.
package struct JournalSamples: Hashable, Sendable, Codable {
    /// The values of one characteristic.
    package struct Series: Hashable, Sendable, Codable {
        /// The characteristic's instance ID.
        package var iid: UInt64
        /// The times, in milliseconds since 1970, ascending.
        package var times: [Int64]
        /// The value at each time.
        package var values: [Double]

        /// Creates a series.
        package init(iid: UInt64, times: [Int64], values: [Double]) {
            self.iid = iid
            self.times = times
            self.values = values
        }
    }

    /// The characteristics that have values, by instance ID.
    package var series: [Series]

    /// Creates samples.
    package init(series: [Series]) {
        self.series = series
    }
}

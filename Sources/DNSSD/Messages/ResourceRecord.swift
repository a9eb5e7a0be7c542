/// A record in a message.
struct ResourceRecord: Hashable, Sendable {
    /// The name of the record.
    var name: DomainName
    /// The class without its top bit.
    var recordClass = RecordClass.internet
    /// The top bit of the class: the records in this message are all records with their name and type.
    var isUnique = false
    /// The lifetime in seconds; 0 for a goodbye.
    var ttl: UInt32
    /// The data of the record.
    var data: RecordData

    /// The type of the record.
    var type: RecordType { data.type }

    /// Returns whether two records are equal except for their lifetimes and flags.
    func hasSameContent(as other: ResourceRecord) -> Bool {
        data == other.data && name == other.name && recordClass == other.recordClass
    }

    /// The record with the lifetime of a goodbye.
    var goodbye: ResourceRecord {
        var goodbye = self
        goodbye.ttl = RecordTTL.goodbye
        return goodbye
    }

    /// The record without its lifetime and flags.
    var identity: RecordIdentity { RecordIdentity(name: name, data: data) }
}

/// An Internet record without lifetime and flags, as the key for finding the same record again.
struct RecordIdentity: Hashable, Sendable {
    let name: DomainName
    let data: RecordData
}

/// A record as it stands in a message.
struct ResourceRecord: Hashable, Sendable {
    /// Whose record it is.
    var name: DomainName
    /// The class without its top bit.
    var recordClass = RecordClass.internet
    /// The class's top bit: this record and those beside it are the whole truth for its name and type.
    var isUnique = false
    /// The lifetime in seconds; 0 says goodbye.
    var ttl: UInt32
    /// What the record says.
    var data: RecordData

    /// The type of the record.
    var type: RecordType { data.type }

    /// Whether two records say the same, whatever their lifetimes.
    func saysTheSame(as other: ResourceRecord) -> Bool {
        data == other.data && name == other.name && recordClass == other.recordClass
    }

    /// The record with the lifetime that takes it back.
    var goodbye: ResourceRecord {
        var goodbye = self
        goodbye.ttl = RecordTTL.goodbye
        return goodbye
    }

    /// What the record says without its lifetime.
    var identity: RecordIdentity { RecordIdentity(name: name, data: data) }
}

/// What an Internet record says, without lifetime and flags: the key for finding the same record again.
struct RecordIdentity: Hashable, Sendable {
    let name: DomainName
    let data: RecordData
}

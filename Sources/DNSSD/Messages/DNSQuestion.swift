/// A question in a message.
struct DNSQuestion: Hashable, Sendable {
    /// The name of the requested records.
    var name: DomainName
    /// The type of the requested records.
    var type: RecordType
    /// The class without its top bit.
    var recordClass = RecordClass.internet
    /// The top bit of the class, which requests a unicast response ("QU").
    var wantsUnicast = false

    /// The question with a request for a unicast response.
    var wantingUnicast: DNSQuestion {
        var question = self
        question.wantsUnicast = true
        return question
    }

    /// Returns whether a record with a name and type answers the question.
    func asks(for name: DomainName, _ type: RecordType) -> Bool {
        (self.type == type || self.type == .any) && (recordClass == .internet || recordClass == .any)
            && self.name == name
    }
}

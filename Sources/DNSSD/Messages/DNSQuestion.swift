/// A question as it stands in a message.
struct DNSQuestion: Hashable, Sendable {
    /// Whose records are asked for.
    var name: DomainName
    /// Which records are asked for.
    var type: RecordType
    /// The class without its top bit.
    var recordClass = RecordClass.internet
    /// The class's top bit: a unicast reply is welcome ("QU").
    var wantsUnicast = false

    /// The question with the wish for a unicast reply.
    var wantingUnicast: DNSQuestion {
        var question = self
        question.wantsUnicast = true
        return question
    }

    /// Whether a record of this name, type and class answers the question.
    func asks(for name: DomainName, _ type: RecordType) -> Bool {
        (self.type == type || self.type == .any) && (recordClass == .internet || recordClass == .any)
            && self.name == name
    }
}

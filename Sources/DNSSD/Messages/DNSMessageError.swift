/// The reason why a packet isn't a DNS message.
enum DNSMessageError: Error, Hashable {
    /// The message ends before its counts or lengths are satisfied.
    case truncated
    /// The packet is larger than multicast DNS allows.
    case messageTooLarge
    /// A name is longer than 255 bytes.
    case nameTooLong
    /// A label is empty or longer than 63 bytes.
    case labelSize
    /// A length byte is of a reserved kind.
    case reservedLabelKind
    /// A pointer doesn't point to an earlier part of the message.
    case forwardPointer
    /// There are more pointers than a name can have labels.
    case tooManyPointers
    /// The data of a record is invalid for its type.
    case malformedData(RecordType)
}

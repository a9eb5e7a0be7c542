/// Why a packet is not a DNS message.
enum DNSMessageError: Error, Hashable {
    /// The message ends before what its counts or lengths promise.
    case truncated
    /// The packet is larger than multicast DNS allows.
    case messageTooLarge
    /// A name is longer than 255 bytes.
    case nameTooLong
    /// A label is empty or longer than 63 bytes.
    case labelSize
    /// A length byte of a kind that is reserved.
    case reservedLabelKind
    /// A pointer that does not point before the name that holds it.
    case forwardPointer
    /// More pointers than a name can have labels.
    case tooManyPointers
    /// The data of a record does not have the form of its type.
    case malformedData(RecordType)
}

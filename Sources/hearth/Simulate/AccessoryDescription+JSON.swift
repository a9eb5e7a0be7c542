import AccessorySimulator
import HAP

extension AccessoryDescription {
    /// The description as the control protocol encodes it.
    var json: JSONValue? { try? JSONValue(parsing: fileText()) }

    /// The keys of a bridged accessory, without those of an accessory server.
    private static let bridged: Set<String> = [
        "name", "manufacturer", "model", "serialNumber", "firmwareRevision", "hardwareRevision", "information",
        "services", "aid", "iids", "lastIID",
    ]

    /// The description of a bridged accessory as the control protocol encodes it. Leaves out the keys of a server.
    var bridgedJSON: JSONValue? {
        guard let members = json?.object else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            for member in members where Self.bridged.contains(member.name) {
                writer.key(member.name)
                writer.write(member.value)
            }
        }
        return try? JSONValue(parsing: writer.bytes)
    }
}

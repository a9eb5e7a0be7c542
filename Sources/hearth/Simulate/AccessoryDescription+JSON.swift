import AccessorySimulator
import HAP

extension AccessoryDescription {
    /// The description as the control takes it.
    var json: JSONValue? { try? JSONValue(parsing: fileText()) }

    /// The members of an accessory behind a bridge, without those of a server.
    private static let bridged: Set<String> = [
        "name", "manufacturer", "model", "serialNumber", "firmwareRevision", "hardwareRevision", "information",
        "services", "aid", "iids", "lastIID",
    ]

    /// The description as the control takes one behind a bridge: what belongs to a server is left out.
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

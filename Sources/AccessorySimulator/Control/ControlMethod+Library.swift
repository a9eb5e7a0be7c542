extension ControlMethod {
    /// The methods that read the built-in accessories, for clients that add one.
    static let libraryMethods = [
        ControlMethod("library.list", []) { _, _ throws(SimulatorError) in
            var accessories: [LibraryAccessory] = []
            for name in AccessoryLibrary.names {
                let description = try AccessoryLibrary.accessory(name)
                accessories.append(LibraryAccessory(name: name, title: description.name))
            }
            return try ControlReply(["accessories": accessories])
        },
        ControlMethod("library.show", [ControlField.name]) { _, parameters throws(SimulatorError) in
            let name = try parameters.required(ControlField.name).string()
            return try ControlReply(ControlFile(file: try AccessoryLibrary.file(name)))
        },
    ]
}

/// A built-in accessory in the control protocol.
private struct LibraryAccessory: Codable, Sendable {
    /// The name in the library.
    var name: String
    /// The name that the accessory has.
    var title: String
}

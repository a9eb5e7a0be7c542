import HAPCatalog
package import HomeModel

extension TriggerSentence {
    /// Returns what an action does: “turn Desk Lamp on”, “set Desk Lamp Brightness to 20 %”.
    package func text(_ action: Action) -> String {
        guard case .write(let identity, let value) = action.operation else { return language.text(.unknownAction) }
        guard let name = names.name(of: identity) else {
            let missing = language.text(.missingCharacteristic)
            return language.text(.set, ["name": missing, "value": "\(value)"])
        }
        if let command = language.words(for: value, of: name.type)?.command {
            return Language.fill(command, ["name": name.subject])
        }
        return language.text(.set, ["name": name.full(in: language), "value": text(of: value, name)])
    }
}

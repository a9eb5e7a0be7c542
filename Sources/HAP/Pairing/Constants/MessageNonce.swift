/// The names from which the nonces of encrypted pairing messages are made. Each has eight ASCII characters.
enum MessageNonce: String {
    case pairSetupM5 = "PS-Msg05"
    case pairSetupM6 = "PS-Msg06"
    case pairVerifyM2 = "PV-Msg02"
    case pairVerifyM3 = "PV-Msg03"
}

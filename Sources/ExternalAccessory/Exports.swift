// An app that imports only ExternalAccessory gets the same modules as from Apple's.
@_exported public import Dispatch
@_exported public import Foundation

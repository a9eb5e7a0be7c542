// An app that imports only CoreMedia gets the same modules as from Apple's.
@_exported public import Dispatch
@_exported public import Foundation

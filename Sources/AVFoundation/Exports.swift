// An app that imports only AVFoundation gets the same modules as from Apple's.
@_exported public import CoreMedia
@_exported public import Dispatch
@_exported public import Foundation

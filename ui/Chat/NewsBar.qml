// SPDX-License-Identifier: Apache-2.0
// "The answer in ... is complete", with a button that shows it: for an answer that ended while another chat was shown.
// It stays for a while, and as long as it has the pointer or the focus.
import QtQuick
import Coterie.App
import Coterie.Style

NoticeBar {
    id: root

    required property AnswerNews news
    readonly property bool wanted: news.chatId !== 0 // qmllint disable

    signal showWanted(var chatId)

    action: qsTr("Show")
    visible: wanted
    words: news.text
    onActed: {
        const chat = news.chatId;
        news.dismiss();
        showWanted(chat);
    }
    onOver: news.dismiss()
}

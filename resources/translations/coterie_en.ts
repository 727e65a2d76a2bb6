<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The English texts of the window. The target coterie-translations writes this file; only plurals are written by hand. -->
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AboutPage</name>
    <message>
        <source>About Coterie</source>
        <translation>About Coterie</translation>
    </message>
    <message>
        <source>Command that lists network connections</source>
        <translation>Command that lists network connections</translation>
    </message>
    <message>
        <source>Coterie %1</source>
        <translation>Coterie %1</translation>
    </message>
    <message>
        <source>Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.</source>
        <translation>Coterie never opens a network connection. It has no accounts, looks for no updates and sends no statistics. Models and chats are files on your disk.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Licences</translation>
    </message>
    <message>
        <source>Nothing leaves this computer</source>
        <translation>Nothing leaves this computer</translation>
    </message>
    <message>
        <source>Private chat with models on this computer. Coterie is free software under the Apache License 2.0. It is built on Qt (LGPL), SQLite and SQLiteCpp, md4c by Martin Mitas, PDFium in Qt PDF, liburing, and header libraries by N. Lohmann (JSON) and the authors of CLI11.</source>
        <translation>Private chat with models on this computer. Coterie is free software under the Apache License 2.0. It is built on Qt (LGPL), SQLite and SQLiteCpp, md4c by Martin Mitas, PDFium in Qt PDF, liburing, and header libraries by N. Lohmann (JSON) and the authors of CLI11.</translation>
    </message>
    <message>
        <source>To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:</source>
        <translation>To check this, disconnect from the network: everything still works. Or run this command while Coterie answers; it finds no connection:</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
</context>
<context>
    <name>ActivityPane</name>
    <message>
        <source>Close this pane</source>
        <translation>Close this pane</translation>
    </message>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
    <message>
        <source>Show as a page</source>
        <translation>Show as a page</translation>
    </message>
</context>
<context>
    <name>ActivityView</name>
    <message>
        <source>Coterie uses %1.</source>
        <translation>Coterie uses %1.</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experts</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memory</translation>
    </message>
    <message>
        <source>Take a first look</source>
        <translation>Take a first look</translation>
    </message>
</context>
<context>
    <name>AlternativesPanel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln alternative(s). %2</source>
        <translation><numerusform>%1: %Ln alternative. %2</numerusform><numerusform>%1: %Ln alternatives. %2</numerusform></translation>
    </message>
    <message>
        <source>(the answer ends)</source>
        <translation>(the answer ends)</translation>
    </message>
    <message>
        <source>After &#8220;%1&#8221;</source>
        <translation>After &#8220;%1&#8221;</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>Alternatives</translation>
    </message>
    <message>
        <source>Alternatives for a word</source>
        <translation>Alternatives for a word</translation>
    </message>
    <message>
        <source>At the beginning</source>
        <translation>At the beginning</translation>
    </message>
    <message>
        <source>Close the alternatives (Esc)</source>
        <translation>Close the alternatives (Esc)</translation>
    </message>
    <message>
        <source>Continues from here in a new branch</source>
        <translation>Continues from here in a new branch</translation>
    </message>
    <message>
        <source>No alternatives</source>
        <translation>No alternatives</translation>
    </message>
    <message>
        <source>The answer has this one</source>
        <translation>The answer has this one</translation>
    </message>
    <message>
        <source>The next token</source>
        <translation>The next token</translation>
    </message>
    <message>
        <source>The token before</source>
        <translation>The token before</translation>
    </message>
</context>
<context>
    <name>AnswerFigures</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln remark(s)</source>
        <translation><numerusform>%Ln remark</numerusform><numerusform>%Ln remarks</numerusform></translation>
    </message>
    <message>
        <source>Active neurons</source>
        <translation>Active neurons</translation>
    </message>
    <message>
        <source>All work for every token</source>
        <translation>All work for every token</translation>
    </message>
    <message>
        <source>Available when the answer is complete</source>
        <translation>Available when the answer is complete</translation>
    </message>
    <message>
        <source>Different experts used, by tokens</source>
        <translation>Different experts used, by tokens</translation>
    </message>
    <message>
        <source>Each layer chooses a few of its experts for every token. This part shows whether all of them have their turn, or a few do most of the work, and which ones are often chosen together.</source>
        <translation>Each layer chooses a few of its experts for every token. This part shows whether all of them have their turn, or a few do most of the work, and which ones are often chosen together.</translation>
    </message>
    <message>
        <source>Experts that don't fit into memory are read from disk when a token needs them, and the answer waits. This part computes how this answer would have gone with more or less memory.</source>
        <translation>Experts that don't fit into memory are read from disk when a token needs them, and the answer waits. This part computes how this answer would have gone with more or less memory.</translation>
    </message>
    <message>
        <source>Experts that work together more often than by chance:</source>
        <translation>Experts that work together more often than by chance:</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Figures</translation>
    </message>
    <message>
        <source>How evenly experts are used</source>
        <translation>How evenly experts are used</translation>
    </message>
    <message>
        <source>How many experts each layer uses</source>
        <translation>How many experts each layer uses</translation>
    </message>
    <message>
        <source>How unevenly each layer uses its experts</source>
        <translation>How unevenly each layer uses its experts</translation>
    </message>
    <message>
        <source>Known when the answer ends</source>
        <translation>Known when the answer ends</translation>
    </message>
    <message>
        <source>Neurons are the smallest parts of the model: each computes one number. In some models most of them give zero for a token. Those are left out, and the answer comes sooner. This part shows how many were at work.</source>
        <translation>Neurons are the smallest parts of the model: each computes one number. In some models most of them give zero for a token. Those are left out, and the answer comes sooner. This part shows how many were at work.</translation>
    </message>
    <message>
        <source>No neurons of this model rest: all of them work for every token.</source>
        <translation>No neurons of this model rest: all of them work for every token.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>None</translation>
    </message>
    <message>
        <source>Not known for this answer</source>
        <translation>Not known for this answer</translation>
    </message>
    <message>
        <source>Numbers of this answer: how fast it was written, and how much of the model was read from the disk for it. Each number has an explanation of its own.</source>
        <translation>Numbers of this answer: how fast it was written, and how much of the model was read from the disk for it. Each number has an explanation of its own.</translation>
    </message>
    <message>
        <source>Open the model again with %1</source>
        <translation>Open the model again with %1</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Remarks</translation>
    </message>
    <message>
        <source>Share from memory, by the room for experts</source>
        <translation>Share from memory, by the room for experts</translation>
    </message>
    <message>
        <source>Share of active neurons in each layer</source>
        <translation>Share of active neurons in each layer</translation>
    </message>
    <message>
        <source>What to keep in mind when you read the figures of this answer, for example that a part of the prompt was not read again.</source>
        <translation>What to keep in mind when you read the figures of this answer, for example that a part of the prompt was not read again.</translation>
    </message>
    <message>
        <source>Would more memory help?</source>
        <translation>Would more memory help?</translation>
    </message>
</context>
<context>
    <name>AnswerSettings</name>
    <message>
        <source>A set of values for this chat. Its own values below come first.</source>
        <translation>A set of values for this chat. Its own values below come first.</translation>
    </message>
    <message>
        <source>Answers (apply from the next answer)</source>
        <translation>Answers (apply from the next answer)</translation>
    </message>
    <message>
        <source>Available when the answer is complete</source>
        <translation>Available when the answer is complete</translation>
    </message>
    <message>
        <source>Make a preset of these values</source>
        <translation>Make a preset of these values</translation>
    </message>
    <message>
        <source>Open the model again</source>
        <translation>Open the model again</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Preset</translation>
    </message>
    <message>
        <source>Remove this chat's values</source>
        <translation>Remove this chat's values</translation>
    </message>
    <message>
        <source>Remove this model's values</source>
        <translation>Remove this model's values</translation>
    </message>
    <message>
        <source>Reset these values to their defaults</source>
        <translation>Reset these values to their defaults</translation>
    </message>
    <message>
        <source>Reset this preset</source>
        <translation>Reset this preset</translation>
    </message>
    <message>
        <source>What follows applies when this model is opened:</source>
        <translation>What follows applies when this model is opened:</translation>
    </message>
</context>
<context>
    <name>AnswerText</name>
    <message>
        <source>Text of the answer</source>
        <translation>Text of the answer</translation>
    </message>
</context>
<context>
    <name>AttachDialog</name>
    <message>
        <source>Attach files</source>
        <translation>Attach files</translation>
    </message>
</context>
<context>
    <name>BinPage</name>
    <message>
        <source>Bin</source>
        <translation>Bin</translation>
    </message>
    <message numerus="yes">
        <source>Deleted chats and messages stay here for %Ln day(s). Then they are erased.</source>
        <translation><numerusform>Deleted chats and messages stay here for %Ln day. Then they are erased.</numerusform><numerusform>Deleted chats and messages stay here for %Ln days. Then they are erased.</numerusform></translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation>Empty the bin</translation>
    </message>
    <message>
        <source>Erase everything</source>
        <translation>Erase everything</translation>
    </message>
    <message>
        <source>Erase everything in the bin? This can't be undone.</source>
        <translation>Erase everything in the bin? This can't be undone.</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>Keep everything</translation>
    </message>
    <message numerus="yes">
        <source>The bin is empty. Deleted chats and messages stay here for %Ln day(s).</source>
        <translation><numerusform>The bin is empty. Deleted chats and messages stay here for %Ln day.</numerusform><numerusform>The bin is empty. Deleted chats and messages stay here for %Ln days.</numerusform></translation>
    </message>
</context>
<context>
    <name>BinRow</name>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) left</source>
        <translation><numerusform>%Ln day left</numerusform><numerusform>%Ln days left</numerusform></translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>(no text)</translation>
    </message>
    <message>
        <source>Answer in "%1"</source>
        <translation>Answer in "%1"</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Erase %1</source>
        <translation>Erase %1</translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>Erase for good</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restore</translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation>Restore %1</translation>
    </message>
    <message>
        <source>This can't be undone</source>
        <translation>This can't be undone</translation>
    </message>
    <message>
        <source>Your message in "%1"</source>
        <translation>Your message in "%1"</translation>
    </message>
    <message numerus="yes">
        <source>deleted %Ln day(s) ago</source>
        <translation><numerusform>deleted %Ln day ago</numerusform><numerusform>deleted %Ln days ago</numerusform></translation>
    </message>
    <message>
        <source>deleted today</source>
        <translation>deleted today</translation>
    </message>
    <message>
        <source>deleted yesterday</source>
        <translation>deleted yesterday</translation>
    </message>
    <message>
        <source>erased at the next start</source>
        <translation>erased at the next start</translation>
    </message>
</context>
<context>
    <name>ChatHitRow</name>
    <message>
        <source>%1, %2</source>
        <comment>origin, date</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2. %3</source>
        <comment>origin, date, text</comment>
        <translation>%1, %2. %3</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Title</translation>
    </message>
    <message>
        <source>You</source>
        <translation>You</translation>
    </message>
</context>
<context>
    <name>ChatHits</name>
    <message>
        <source>Hits</source>
        <translation>Hits</translation>
    </message>
    <message>
        <source>The words are in different places of each chat.</source>
        <translation>The words are in different places of each chat.</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message numerus="yes">
        <source>%Ln place(s) found</source>
        <translation><numerusform>%Ln place found</numerusform><numerusform>%Ln places found</numerusform></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Clear the search</translation>
    </message>
    <message>
        <source>Hide the list of chats</source>
        <translation>Hide the list of chats</translation>
    </message>
    <message numerus="yes">
        <source>More than %Ln place(s) found</source>
        <translation><numerusform>More than %Ln place found</numerusform><numerusform>More than %Ln places found</numerusform></translation>
    </message>
    <message>
        <source>No chat contains these words.</source>
        <translation>No chat contains these words.</translation>
    </message>
    <message>
        <source>Order and folders</source>
        <translation>Order and folders</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Redo</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Search</translation>
    </message>
    <message>
        <source>Searching&#8230;</source>
        <translation>Searching&#8230;</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
    <message>
        <source>Your chats will appear here.</source>
        <translation>Your chats will appear here.</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message numerus="yes">
        <source>Delete %Ln chat(s)</source>
        <translation><numerusform>Delete %Ln chat</numerusform><numerusform>Delete %Ln chats</numerusform></translation>
    </message>
    <message>
        <source>Delete the folder</source>
        <translation>Delete the folder</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplicate</translation>
    </message>
    <message>
        <source>Export as JSON&#8230;</source>
        <translation>Export as JSON&#8230;</translation>
    </message>
    <message>
        <source>Export as Markdown&#8230;</source>
        <translation>Export as Markdown&#8230;</translation>
    </message>
    <message>
        <source>Its chats stay, in no folder.</source>
        <translation>Its chats stay, in no folder.</translation>
    </message>
    <message>
        <source>Menu of the chat</source>
        <translation>Menu of the chat</translation>
    </message>
    <message>
        <source>Menu of the folder</source>
        <translation>Menu of the folder</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Move down</translation>
    </message>
    <message>
        <source>Move to folder&#8230;</source>
        <translation>Move to folder&#8230;</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Move up</translation>
    </message>
    <message>
        <source>Open side by side</source>
        <translation>Open side by side</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Pin</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Rename</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Unpin</translation>
    </message>
</context>
<context>
    <name>ChatRow</name>
    <message>
        <source>An answer is being written</source>
        <translation>An answer is being written</translation>
    </message>
    <message numerus="yes">
        <source>Folder, %Ln chat(s)</source>
        <translation><numerusform>Folder, %Ln chat</numerusform><numerusform>Folder, %Ln chats</numerusform></translation>
    </message>
    <message>
        <source>New answer</source>
        <translation>New answer</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Pinned</translation>
    </message>
    <message>
        <source>The model asks to use a tool</source>
        <translation>The model asks to use a tool</translation>
    </message>
</context>
<context>
    <name>ChatRowTools</name>
    <message>
        <source>More</source>
        <translation>More</translation>
    </message>
</context>
<context>
    <name>ChatSection</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Folders</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Older</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Pinned</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>This week</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Today</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Yesterday</translation>
    </message>
</context>
<context>
    <name>ChatSettingsPage</name>
    <message>
        <source>Also: how tokens are drawn, penalties, the seed, stop texts, and faster but less exact answers.</source>
        <translation>Also: how tokens are drawn, penalties, the seed, stop texts, and faster but less exact answers.</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>New chat</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Settings of this chat</translation>
    </message>
</context>
<context>
    <name>ChatTitleField</name>
    <message>
        <source>New title</source>
        <translation>New title</translation>
    </message>
</context>
<context>
    <name>ChoiceBar</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>ChoiceMenu</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>CodeFrame</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Code, %1</source>
        <translation>Code, %1</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copied</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copy code</translation>
    </message>
    <message>
        <source>Coterie has no tool of this name. Write the result as your next message.</source>
        <translation>Coterie has no tool of this name. Write the result as your next message.</translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation>Result of %1</translation>
    </message>
    <message>
        <source>Result of a tool</source>
        <translation>Result of a tool</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>Tool call</translation>
    </message>
    <message>
        <source>Tool call: %1</source>
        <translation>Tool call: %1</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>Wrap lines</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>All commands</source>
        <translation>All commands</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Commands</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Find a command</translation>
    </message>
    <message>
        <source>No command contains these words.</source>
        <translation>No command contains these words.</translation>
    </message>
</context>
<context>
    <name>CommandRow</name>
    <message>
        <source> or </source>
        <translation> or </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>ComparedGrids</name>
    <message>
        <source>Experts of one run: %1</source>
        <translation>Experts of one run: %1</translation>
    </message>
    <message>
        <source>This answer</source>
        <translation>This answer</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%1 of %Ln token(s)</source>
        <comment>of the context</comment>
        <translation><numerusform>%1 of %Ln token</numerusform><numerusform>%1 of %Ln tokens</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln token(s) with this message</source>
        <comment>of the context</comment>
        <translation><numerusform>%1 of %Ln token with this message</numerusform><numerusform>%1 of %Ln tokens with this message</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) attached</source>
        <translation><numerusform>%Ln file attached</numerusform><numerusform>%Ln files attached</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) waiting</source>
        <translation><numerusform>%Ln message waiting</numerusform><numerusform>%Ln messages waiting</numerusform></translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Attach files</translation>
    </message>
    <message>
        <source>How does the text begin?</source>
        <translation>How does the text begin?</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>Not sent. %1. %2.</source>
        <translation>Not sent. %1. %2.</translation>
    </message>
    <message>
        <source>Open a model to write to it</source>
        <translation>Open a model to write to it</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Send</translation>
    </message>
    <message>
        <source>Send after this answer</source>
        <translation>Send after this answer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>The model answers without thinking first</source>
        <translation>The model answers without thinking first</translation>
    </message>
    <message>
        <source>The model is being opened</source>
        <translation>The model is being opened</translation>
    </message>
    <message>
        <source>The model thinks before it answers</source>
        <translation>The model thinks before it answers</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
</context>
<context>
    <name>ComposerChips</name>
    <message>
        <source>%1 is already attached.</source>
        <comment>a file</comment>
        <translation>%1 is already attached.</translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation>Attached files</translation>
    </message>
    <message numerus="yes">
        <source>Reading %Ln file(s)</source>
        <translation><numerusform>Reading %Ln file</numerusform><numerusform>Reading %Ln files</numerusform></translation>
    </message>
</context>
<context>
    <name>ContextGauge</name>
    <message>
        <source>%1 of %2</source>
        <comment>tokens of the context</comment>
        <translation>%1 of %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln token(s)</source>
        <comment>of the context</comment>
        <translation><numerusform>%1 of %Ln token</numerusform><numerusform>%1 of %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Context (shortened)</source>
        <translation>Context (shortened)</translation>
    </message>
    <message>
        <source>Context: %1</source>
        <translation>Context: %1</translation>
    </message>
    <message>
        <source>The model does not see the oldest turns</source>
        <translation>The model does not see the oldest turns</translation>
    </message>
</context>
<context>
    <name>ConversationPage</name>
    <message>
        <source>Close this side</source>
        <translation>Close this side</translation>
    </message>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Settings of this chat</translation>
    </message>
    <message>
        <source>Show a second chat</source>
        <translation>Show a second chat</translation>
    </message>
    <message>
        <source>Show the list of chats</source>
        <translation>Show the list of chats</translation>
    </message>
    <message>
        <source>Speed: %1</source>
        <translation>Speed: %1</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>Temporary</translation>
    </message>
    <message>
        <source>This chat has settings of its own</source>
        <translation>This chat has settings of its own</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>%1, %2</source>
        <comment>of the prompt; the time that is left</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Deleted "%1"</source>
        <translation>Deleted "%1"</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>Jump to latest</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Reading</translation>
    </message>
    <message numerus="yes">
        <source>Reading %1 of %Ln token(s)</source>
        <comment>of the prompt</comment>
        <translation><numerusform>Reading %1 of %Ln token</numerusform><numerusform>Reading %1 of %Ln tokens</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Selected text in %Ln message(s)</source>
        <translation><numerusform>Selected text in %Ln message</numerusform><numerusform>Selected text in %Ln messages</numerusform></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stopping</translation>
    </message>
    <message>
        <source>The answer has ended</source>
        <translation>The answer has ended</translation>
    </message>
    <message>
        <source>The model is answering</source>
        <translation>The model is answering</translation>
    </message>
    <message>
        <source>Waiting for the answer of another chat</source>
        <translation>Waiting for the answer of another chat</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Writing</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>Copied</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Copy message</translation>
    </message>
</context>
<context>
    <name>DemoStart</name>
    <message>
        <source>Ask the demo model</source>
        <translation>Ask the demo model</translation>
    </message>
    <message>
        <source>How do I open a model?</source>
        <translation>How do I open a model?</translation>
    </message>
    <message>
        <source>Open a model&#8230;</source>
        <translation>Open a model&#8230;</translation>
    </message>
    <message>
        <source>See the experts work</source>
        <translation>See the experts work</translation>
    </message>
    <message>
        <source>Tell me a short story about a fox.</source>
        <translation>Tell me a short story about a fox.</translation>
    </message>
    <message>
        <source>The demo model tells a story, and you watch what happens inside</source>
        <translation>The demo model tells a story, and you watch what happens inside</translation>
    </message>
    <message>
        <source>This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.</source>
        <translation>This tiny model comes with Coterie. It answers questions about this program and about Mixture-of-Experts models, and it makes mistakes.</translation>
    </message>
    <message>
        <source>Try the demo model</source>
        <translation>Try the demo model</translation>
    </message>
    <message>
        <source>What is 7 times 8?</source>
        <translation>What is 7 times 8?</translation>
    </message>
    <message>
        <source>What is an expert cache?</source>
        <translation>What is an expert cache?</translation>
    </message>
    <message>
        <source>or drop a .gguf file anywhere on this window</source>
        <translation>or drop a .gguf file anywhere on this window</translation>
    </message>
</context>
<context>
    <name>DeviceRow</name>
    <message>
        <source>%1 can't be used: %2.</source>
        <translation>%1 can't be used: %2.</translation>
    </message>
    <message>
        <source>A model runs on a graphics processor if all of it fits into that one's memory. Otherwise the processor computes it.</source>
        <translation>A model runs on a graphics processor if all of it fits into that one's memory. Otherwise the processor computes it.</translation>
    </message>
    <message>
        <source>Computed by</source>
        <translation>Computed by</translation>
    </message>
    <message>
        <source>Look for graphics processors</source>
        <translation>Look for graphics processors</translation>
    </message>
    <message>
        <source>Looking for graphics processors&#8230;</source>
        <translation>Looking for graphics processors&#8230;</translation>
    </message>
    <message>
        <source>No graphics processor was found that Coterie could use.</source>
        <translation>No graphics processor was found that Coterie could use.</translation>
    </message>
    <message>
        <source>The one that was chosen can't be used now, so the processor computes.</source>
        <translation>The one that was chosen can't be used now, so the processor computes.</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>%1 (line %2 of the file)</source>
        <translation>%1 (line %2 of the file)</translation>
    </message>
    <message>
        <source>%1 experts can't form %2 groups of the same size</source>
        <translation>%1 experts can't form %2 groups of the same size</translation>
    </message>
    <message>
        <source>%1 groups leave fewer than two experts in a group</source>
        <translation>%1 groups leave fewer than two experts in a group</translation>
    </message>
    <message>
        <source>%1 has %2 entries, but there are %3 tokens: those without a type are ordinary text</source>
        <translation>%1 has %2 entries, but there are %3 tokens: those without a type are ordinary text</translation>
    </message>
    <message>
        <source>%1 has ids that are not among the %2 tokens and are not used</source>
        <translation>%1 has ids that are not among the %2 tokens and are not used</translation>
    </message>
    <message>
        <source>%1 heads can't share %2 key heads</source>
        <translation>%1 heads can't share %2 key heads</translation>
    </message>
    <message>
        <source>%1 heads don't divide a width of %2</source>
        <translation>%1 heads don't divide a width of %2</translation>
    </message>
    <message>
        <source>%1 in line %2</source>
        <translation>%1 in line %2</translation>
    </message>
    <message>
        <source>%1 is a database of another program</source>
        <translation>%1 is a database of another program</translation>
    </message>
    <message>
        <source>%1 is larger than one of its buffers can be</source>
        <translation>%1 is larger than one of its buffers can be</translation>
    </message>
    <message>
        <source>%1 is not a list of numbers, so it is not used</source>
        <translation>%1 is not a list of numbers, so it is not used</translation>
    </message>
    <message>
        <source>%1 is not one of the %2 tokens, so it is not used</source>
        <translation>%1 is not one of the %2 tokens, so it is not used</translation>
    </message>
    <message>
        <source>%1 is odd, and rotation takes pairs</source>
        <translation>%1 is odd, and rotation takes pairs</translation>
    </message>
    <message>
        <source>%1 slots can't hold the %2 experts that one layer uses for a token</source>
        <translation>%1 slots can't hold the %2 experts that one layer uses for a token</translation>
    </message>
    <message>
        <source>%1 value heads can't share %2 key heads</source>
        <translation>%1 value heads can't share %2 key heads</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, states of the conversation %2</source>
        <translation>%1, states of the conversation %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>%1; %2; %3</source>
        <translation>%1; %2; %3</translation>
    </message>
    <message>
        <source>A chat has more than %1</source>
        <translation>A chat has more than %1</translation>
    </message>
    <message>
        <source>A chat with the same file was erased, and the file's content with it</source>
        <translation>A chat with the same file was erased, and the file's content with it</translation>
    </message>
    <message>
        <source>A chunk of %1 tokens is not possible here</source>
        <translation>A chunk of %1 tokens is not possible here</translation>
    </message>
    <message>
        <source>A context of %1 tokens is not possible</source>
        <translation>A context of %1 tokens is not possible</translation>
    </message>
    <message>
        <source>A dimension of the tensor %1 is %2, too large</source>
        <translation>A dimension of the tensor %1 is %2, too large</translation>
    </message>
    <message>
        <source>A dimension of the tensor %1 is 0</source>
        <translation>A dimension of the tensor %1 is 0</translation>
    </message>
    <message>
        <source>A direct read was not aligned to %1 bytes</source>
        <translation>A direct read was not aligned to %1 bytes</translation>
    </message>
    <message>
        <source>A driver imitates it on the processor, and is slower than that</source>
        <translation>A driver imitates it on the processor, and is slower than that</translation>
    </message>
    <message>
        <source>A file in it is missing</source>
        <translation>A file in it is missing</translation>
    </message>
    <message>
        <source>A file of it has %1, and at most %2 can be kept</source>
        <translation>A file of it has %1, and at most %2 can be kept</translation>
    </message>
    <message>
        <source>A file that was not sent yet is not there</source>
        <translation>A file that was not sent yet is not there</translation>
    </message>
    <message>
        <source>A forward pass came before upload</source>
        <translation>A forward pass came before upload</translation>
    </message>
    <message>
        <source>A later version of the program wrote it</source>
        <translation>A later version of the program wrote it</translation>
    </message>
    <message>
        <source>A layer has a negative number of experts</source>
        <translation>A layer has a negative number of experts</translation>
    </message>
    <message>
        <source>A question doesn't stand in what it writes</source>
        <translation>A question doesn't stand in what it writes</translation>
    </message>
    <message>
        <source>A record of its message %1 is damaged</source>
        <translation>A record of its message %1 is damaged</translation>
    </message>
    <message>
        <source>A row of the tensor %1 has %2 values, not a whole number of %3 blocks</source>
        <translation>A row of the tensor %1 has %2 values, not a whole number of %3 blocks</translation>
    </message>
    <message>
        <source>A score is not a number</source>
        <translation>A score is not a number</translation>
    </message>
    <message>
        <source>A shader is missing</source>
        <translation>A shader is missing</translation>
    </message>
    <message>
        <source>A shader of the program is damaged</source>
        <translation>A shader of the program is damaged</translation>
    </message>
    <message>
        <source>A shader was called in a wrong way</source>
        <translation>A shader was called in a wrong way</translation>
    </message>
    <message>
        <source>A share of approximate routing is out of range</source>
        <translation>A share of approximate routing is out of range</translation>
    </message>
    <message>
        <source>A stop string is empty</source>
        <translation>A stop string is empty</translation>
    </message>
    <message>
        <source>A stored trace can't be read</source>
        <translation>A stored trace can't be read</translation>
    </message>
    <message>
        <source>A text does not end in line %1</source>
        <translation>A text does not end in line %1</translation>
    </message>
    <message>
        <source>A text in line %1 is too long</source>
        <translation>A text in line %1 is too long</translation>
    </message>
    <message>
        <source>A token is unknown to the model</source>
        <translation>A token is unknown to the model</translation>
    </message>
    <message>
        <source>A token uses %1 experts, and so many groups have only %2</source>
        <translation>A token uses %1 experts, and so many groups have only %2</translation>
    </message>
    <message>
        <source>A trace can't be kept</source>
        <translation>A trace can't be kept</translation>
    </message>
    <message>
        <source>A trace can't be stored</source>
        <translation>A trace can't be stored</translation>
    </message>
    <message>
        <source>A trace of so many tokens can't be kept</source>
        <translation>A trace of so many tokens can't be kept</translation>
    </message>
    <message>
        <source>A value that ends in line %1 is too long</source>
        <translation>A value that ends in line %1 is too long</translation>
    </message>
    <message>
        <source>All %1 slots are in use by one request</source>
        <translation>All %1 slots are in use by one request</translation>
    </message>
    <message>
        <source>All of its %1 experts must be in memory at once, and there is room for %2</source>
        <translation>All of its %1 experts must be in memory at once, and there is room for %2</translation>
    </message>
    <message>
        <source>Allow more memory, choose a shorter context, or choose a smaller model</source>
        <translation>Allow more memory, choose a shorter context, or choose a smaller model</translation>
    </message>
    <message>
        <source>Allow more memory, or choose a smaller model</source>
        <translation>Allow more memory, or choose a smaller model</translation>
    </message>
    <message>
        <source>Allow more memory, or compute on the CPU</source>
        <translation>Allow more memory, or compute on the CPU</translation>
    </message>
    <message>
        <source>Allow writing there, or start Coterie with another folder (--data-dir)</source>
        <translation>Allow writing there, or start Coterie with another folder (--data-dir)</translation>
    </message>
    <message>
        <source>An answer is still being written</source>
        <translation>An answer is still being written</translation>
    </message>
    <message>
        <source>An attached file is not there any more</source>
        <translation>An attached file is not there any more</translation>
    </message>
    <message>
        <source>An empty text would end every answer at once</source>
        <translation>An empty text would end every answer at once</translation>
    </message>
    <message>
        <source>An expert that does not exist was waited for</source>
        <translation>An expert that does not exist was waited for</translation>
    </message>
    <message>
        <source>An expert was not read</source>
        <translation>An expert was not read</translation>
    </message>
    <message>
        <source>An expert was waited for by a pass that has ended</source>
        <translation>An expert was waited for by a pass that has ended</translation>
    </message>
    <message>
        <source>An expert was waited for that had not been requested</source>
        <translation>An expert was waited for that had not been requested</translation>
    </message>
    <message>
        <source>An expert's matrix has no tensor</source>
        <translation>An expert's matrix has no tensor</translation>
    </message>
    <message>
        <source>Another folder has this name</source>
        <translation>Another folder has this name</translation>
    </message>
    <message>
        <source>Another program uses the file of chats</source>
        <translation>Another program uses the file of chats</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Ask again</translation>
    </message>
    <message>
        <source>Ask for fewer tokens</source>
        <translation>Ask for fewer tokens</translation>
    </message>
    <message>
        <source>Attach a file of at most %1</source>
        <translation>Attach a file of at most %1</translation>
    </message>
    <message>
        <source>Attach a part of it</source>
        <translation>Attach a part of it</translation>
    </message>
    <message>
        <source>Attach text, Markdown, code, CSV, or a PDF with text</source>
        <translation>Attach text, Markdown, code, CSV, or a PDF with text</translation>
    </message>
    <message>
        <source>Attach the file again</source>
        <translation>Attach the file again</translation>
    </message>
    <message>
        <source>Attach the files in it</source>
        <translation>Attach the files in it</translation>
    </message>
    <message>
        <source>Bring its driver up to date, or compute on the CPU</source>
        <translation>Bring its driver up to date, or compute on the CPU</translation>
    </message>
    <message>
        <source>Bring the driver of the graphics processor up to date</source>
        <translation>Bring the driver of the graphics processor up to date</translation>
    </message>
    <message>
        <source>Bytes beyond the end of the tensor %1 were asked for</source>
        <translation>Bytes beyond the end of the tensor %1 were asked for</translation>
    </message>
    <message>
        <source>Calls of Vulkan can't be checked</source>
        <translation>Calls of Vulkan can't be checked</translation>
    </message>
    <message>
        <source>Can't find out how much space is free in %1</source>
        <translation>Can't find out how much space is free in %1</translation>
    </message>
    <message>
        <source>Can't make the folder %1</source>
        <translation>Can't make the folder %1</translation>
    </message>
    <message>
        <source>Can't open %1</source>
        <translation>Can't open %1</translation>
    </message>
    <message>
        <source>Can't pack %1</source>
        <translation>Can't pack %1</translation>
    </message>
    <message>
        <source>Can't pack the model into %1</source>
        <translation>Can't pack the model into %1</translation>
    </message>
    <message>
        <source>Can't read %1</source>
        <translation>Can't read %1</translation>
    </message>
    <message>
        <source>Can't read the folder %1</source>
        <translation>Can't read the folder %1</translation>
    </message>
    <message>
        <source>Can't remove %1</source>
        <translation>Can't remove %1</translation>
    </message>
    <message>
        <source>Can't replace %1</source>
        <translation>Can't replace %1</translation>
    </message>
    <message>
        <source>Can't use the folder of %1</source>
        <translation>Can't use the folder of %1</translation>
    </message>
    <message>
        <source>Can't write %1</source>
        <translation>Can't write %1</translation>
    </message>
    <message>
        <source>Change the conversation, for example its system message, or choose another template</source>
        <translation>Change the conversation, for example its system message, or choose another template</translation>
    </message>
    <message>
        <source>Check its disk</source>
        <translation>Check its disk</translation>
    </message>
    <message>
        <source>Check its permissions</source>
        <translation>Check its permissions</translation>
    </message>
    <message>
        <source>Check that it is the right file</source>
        <translation>Check that it is the right file</translation>
    </message>
    <message>
        <source>Check that the disk is attached and in order</source>
        <translation>Check that the disk is attached and in order</translation>
    </message>
    <message>
        <source>Check the disk and try again</source>
        <translation>Check the disk and try again</translation>
    </message>
    <message>
        <source>Check the path, and that the disk is attached</source>
        <translation>Check the path, and that the disk is attached</translation>
    </message>
    <message>
        <source>Check the permissions of the file and of its folder</source>
        <translation>Check the permissions of the file and of its folder</translation>
    </message>
    <message>
        <source>Choose 'auto'</source>
        <translation>Choose 'auto'</translation>
    </message>
    <message>
        <source>Choose a KV cache in F16</source>
        <translation>Choose a KV cache in F16</translation>
    </message>
    <message>
        <source>Choose a context from 1 to %1</source>
        <translation>Choose a context from 1 to %1</translation>
    </message>
    <message>
        <source>Choose a file of this model of the type %1, or another one in these formats: %2</source>
        <translation>Choose a file of this model of the type %1, or another one in these formats: %2</translation>
    </message>
    <message>
        <source>Choose a file that a chat program has exported</source>
        <translation>Choose a file that a chat program has exported</translation>
    </message>
    <message>
        <source>Choose a little-endian file of version 2 or 3</source>
        <translation>Choose a little-endian file of version 2 or 3</translation>
    </message>
    <message>
        <source>Choose a model of one of these families</source>
        <translation>Choose a model of one of these families</translation>
    </message>
    <message>
        <source>Choose a newer file of this model</source>
        <translation>Choose a newer file of this model</translation>
    </message>
    <message>
        <source>Choose a shorter chunk, or allow more memory</source>
        <translation>Choose a shorter chunk, or allow more memory</translation>
    </message>
    <message>
        <source>Choose a shorter context, or compute on the CPU</source>
        <translation>Choose a shorter context, or compute on the CPU</translation>
    </message>
    <message>
        <source>Choose a shorter context, or the device cpu</source>
        <translation>Choose a shorter context, or the device cpu</translation>
    </message>
    <message>
        <source>Choose a value in that range</source>
        <translation>Choose a value in that range</translation>
    </message>
    <message>
        <source>Choose a whole file, or export it once more</source>
        <translation>Choose a whole file, or export it once more</translation>
    </message>
    <message>
        <source>Choose an export of Coterie, ChatGPT, LM Studio, Jan or llama.cpp</source>
        <translation>Choose an export of Coterie, ChatGPT, LM Studio, Jan or llama.cpp</translation>
    </message>
    <message>
        <source>Choose another chat</source>
        <translation>Choose another chat</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>Choose another file</translation>
    </message>
    <message>
        <source>Choose another file of this model</source>
        <translation>Choose another file of this model</translation>
    </message>
    <message>
        <source>Choose another file, or export your chats once more</source>
        <translation>Choose another file, or export your chats once more</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>Choose another folder</translation>
    </message>
    <message>
        <source>Choose another message</source>
        <translation>Choose another message</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>Choose another model</translation>
    </message>
    <message>
        <source>Choose another name</source>
        <translation>Choose another name</translation>
    </message>
    <message>
        <source>Choose another name, or agree to replace the file</source>
        <translation>Choose another name, or agree to replace the file</translation>
    </message>
    <message>
        <source>Choose another template or model file</source>
        <translation>Choose another template or model file</translation>
    </message>
    <message>
        <source>Choose another template, because this one never ends or asks for too much</source>
        <translation>Choose another template, because this one never ends or asks for too much</translation>
    </message>
    <message>
        <source>Choose one of these, or auto</source>
        <translation>Choose one of these, or auto</translation>
    </message>
    <message>
        <source>Choose one of these, or leave the option out</source>
        <translation>Choose one of these, or leave the option out</translation>
    </message>
    <message>
        <source>Choose the device cpu or auto</source>
        <translation>Choose the device cpu or auto</translation>
    </message>
    <message>
        <source>Choose the folder in which LM Studio or Jan keeps its chats</source>
        <translation>Choose the folder in which LM Studio or Jan keeps its chats</translation>
    </message>
    <message>
        <source>Close it and try again</source>
        <translation>Close it and try again</translation>
    </message>
    <message>
        <source>Close other programs and try again</source>
        <translation>Close other programs and try again</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model or context</source>
        <translation>Close other programs, or choose a smaller model or context</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model, context or memory budget</source>
        <translation>Close other programs, or choose a smaller model, context or memory budget</translation>
    </message>
    <message>
        <source>Close other programs, or compute on the CPU</source>
        <translation>Close other programs, or compute on the CPU</translation>
    </message>
    <message>
        <source>Close other windows of Coterie, and check who may write there</source>
        <translation>Close other windows of Coterie, and check who may write there</translation>
    </message>
    <message>
        <source>Compute on the CPU</source>
        <translation>Compute on the CPU</translation>
    </message>
    <message>
        <source>Compute on the CPU, or choose a file of this model in another format</source>
        <translation>Compute on the CPU, or choose a file of this model in another format</translation>
    </message>
    <message>
        <source>Coterie was closed before this answer was complete</source>
        <translation>Coterie was closed before this answer was complete</translation>
    </message>
    <message>
        <source>Download the file again, or choose another</source>
        <translation>Download the file again, or choose another</translation>
    </message>
    <message>
        <source>Download the model again if the file may be damaged. If it is whole, try --kernels scalar and report what you see</source>
        <translation>Download the model again if the file may be damaged. If it is whole, try --kernels scalar and report what you see</translation>
    </message>
    <message>
        <source>Download the model again, or from another source</source>
        <translation>Download the model again, or from another source</translation>
    </message>
    <message>
        <source>Earlier chats can't be read</source>
        <translation>Earlier chats can't be read</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 differs from the model's</source>
        <translation>Expert %1 of layer %2 differs from the model's</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 does not exist</source>
        <translation>Expert %1 of layer %2 does not exist</translation>
    </message>
    <message>
        <source>Expert %1 of layer %2 is used twice</source>
        <translation>Expert %1 of layer %2 is used twice</translation>
    </message>
    <message>
        <source>Experts were requested by a pass that has ended</source>
        <translation>Experts were requested by a pass that has ended</translation>
    </message>
    <message>
        <source>Export it once more, or leave it out</source>
        <translation>Export it once more, or leave it out</translation>
    </message>
    <message>
        <source>For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers and %4 times for prompts, and auto takes it</source>
        <translation>For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers and %4 times for prompts, and auto takes it</translation>
    </message>
    <message>
        <source>For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers and %4 times for prompts, and auto takes none below %5</source>
        <translation>For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers and %4 times for prompts, and auto takes none below %5</translation>
    </message>
    <message>
        <source>Free some space and try again</source>
        <translation>Free some space and try again</translation>
    </message>
    <message>
        <source>Free some space on it and try again</source>
        <translation>Free some space on it and try again</translation>
    </message>
    <message>
        <source>Get the file again from its source</source>
        <translation>Get the file again from its source</translation>
    </message>
    <message>
        <source>Get the file again from its source, or choose another file of this model</source>
        <translation>Get the file again from its source, or choose another file of this model</translation>
    </message>
    <message>
        <source>Get the file again, or another file of this model</source>
        <translation>Get the file again, or another file of this model</translation>
    </message>
    <message>
        <source>Give 0 or more</source>
        <translation>Give 0 or more</translation>
    </message>
    <message>
        <source>Give 0 or more, or -1 for no limit</source>
        <translation>Give 0 or more, or -1 for no limit</translation>
    </message>
    <message>
        <source>Give 1 to %1, or 0 for the system's number</source>
        <translation>Give 1 to %1, or 0 for the system's number</translation>
    </message>
    <message>
        <source>Give a number from 0, which is exact, to 1</source>
        <translation>Give a number from 0, which is exact, to 1</translation>
    </message>
    <message>
        <source>Give a number of tokens, or 0 for automatic</source>
        <translation>Give a number of tokens, or 0 for automatic</translation>
    </message>
    <message>
        <source>Give an array of functions, each with a name, a description and parameters</source>
        <translation>Give an array of functions, each with a name, a description and parameters</translation>
    </message>
    <message>
        <source>Give an object of names and values</source>
        <translation>Give an object of names and values</translation>
    </message>
    <message>
        <source>Give it a larger budget</source>
        <translation>Give it a larger budget</translation>
    </message>
    <message>
        <source>Give the path of a file</source>
        <translation>Give the path of a file</translation>
    </message>
    <message>
        <source>Give the path of an ordinary file</source>
        <translation>Give the path of an ordinary file</translation>
    </message>
    <message>
        <source>Go on: the answer itself is kept</source>
        <translation>Go on: the answer itself is kept</translation>
    </message>
    <message>
        <source>Have its text recognised by another program first</source>
        <translation>Have its text recognised by another program first</translation>
    </message>
    <message>
        <source>Import the file again: chats that are there already are not doubled</source>
        <translation>Import the file again: chats that are there already are not doubled</translation>
    </message>
    <message>
        <source>Install Vulkan's validation layers</source>
        <translation>Install Vulkan's validation layers</translation>
    </message>
    <message>
        <source>Install a newer driver of the device, or choose another device</source>
        <translation>Install a newer driver of the device, or choose another device</translation>
    </message>
    <message>
        <source>Install its driver, or compute on the CPU</source>
        <translation>Install its driver, or compute on the CPU</translation>
    </message>
    <message>
        <source>Install the driver of the graphics processor if there is one</source>
        <translation>Install the driver of the graphics processor if there is one</translation>
    </message>
    <message>
        <source>Install the newer version. Nothing was changed</source>
        <translation>Install the newer version. Nothing was changed</translation>
    </message>
    <message>
        <source>Install the newer version. The file is not changed</source>
        <translation>Install the newer version. The file is not changed</translation>
    </message>
    <message>
        <source>Install the newer version. The file was not changed</source>
        <translation>Install the newer version. The file was not changed</translation>
    </message>
    <message>
        <source>Install the program again</source>
        <translation>Install the program again</translation>
    </message>
    <message>
        <source>It can't be read: %1</source>
        <translation>It can't be read: %1</translation>
    </message>
    <message>
        <source>It can't compute with weights in the format %1</source>
        <translation>It can't compute with weights in the format %1</translation>
    </message>
    <message>
        <source>It claims %1 keys, more than it can hold</source>
        <translation>It claims %1 keys, more than it can hold</translation>
    </message>
    <message>
        <source>It claims %1 tensors, more than it can hold</source>
        <translation>It claims %1 tensors, more than it can hold</translation>
    </message>
    <message>
        <source>It did not end its work in time (%1)</source>
        <translation>It did not end its work in time (%1)</translation>
    </message>
    <message>
        <source>It differs from attention.key_length, which no family here allows</source>
        <translation>It differs from attention.key_length, which no family here allows</translation>
    </message>
    <message>
        <source>It differs from attention.key_length_swa, which no family here allows</source>
        <translation>It differs from attention.key_length_swa, which no family here allows</translation>
    </message>
    <message>
        <source>It does not begin as a trace does</source>
        <translation>It does not begin as a trace does</translation>
    </message>
    <message>
        <source>It doesn't know what the tensor '%1' is for, and leaving it out would give wrong answers</source>
        <translation>It doesn't know what the tensor '%1' is for, and leaving it out would give wrong answers</translation>
    </message>
    <message>
        <source>It doesn't say which of the model's files it is</source>
        <translation>It doesn't say which of the model's files it is</translation>
    </message>
    <message>
        <source>It ends inside %1, at byte %2</source>
        <translation>It ends inside %1, at byte %2</translation>
    </message>
    <message>
        <source>It ends too early, in line %1</source>
        <translation>It ends too early, in line %1</translation>
    </message>
    <message>
        <source>It has %1 bytes, and at most %2 make sense here</source>
        <translation>It has %1 bytes, and at most %2 make sense here</translation>
    </message>
    <message>
        <source>It has %1 numbers, and the model has %2 layers</source>
        <translation>It has %1 numbers, and the model has %2 layers</translation>
    </message>
    <message>
        <source>It has %1 rows</source>
        <translation>It has %1 rows</translation>
    </message>
    <message>
        <source>It has %1 tokens, %2 more than the %3 that the context holds</source>
        <translation>It has %1 tokens, %2 more than the %3 that the context holds</translation>
    </message>
    <message>
        <source>It has %1 tokens, and the embedding has %2 rows</source>
        <translation>It has %1 tokens, and the embedding has %2 rows</translation>
    </message>
    <message>
        <source>It has %1 tokens, but the scores of %2</source>
        <translation>It has %1 tokens, but the scores of %2</translation>
    </message>
    <message>
        <source>It has %1, and should be from %2 to %3</source>
        <translation>It has %1, and should be from %2 to %3</translation>
    </message>
    <message>
        <source>It has %1, and weights take %2, the KV cache %3 at a context of %4 tokens, the rest %5</source>
        <translation>It has %1, and weights take %2, the KV cache %3 at a context of %4 tokens, the rest %5</translation>
    </message>
    <message>
        <source>It has more merges than any vocabulary</source>
        <translation>It has more merges than any vocabulary</translation>
    </message>
    <message>
        <source>It has more tokens than any vocabulary</source>
        <translation>It has more tokens than any vocabulary</translation>
    </message>
    <message>
        <source>It has no directory, or is larger than 4 GiB</source>
        <translation>It has no directory, or is larger than 4 GiB</translation>
    </message>
    <message>
        <source>It has no messages</source>
        <translation>It has no messages</translation>
    </message>
    <message>
        <source>It has no name</source>
        <translation>It has no name</translation>
    </message>
    <message>
        <source>It holds divisors that are not above 0</source>
        <translation>It holds divisors that are not above 0</translation>
    </message>
    <message>
        <source>It is %1</source>
        <translation>It is %1</translation>
    </message>
    <message>
        <source>It is %1, and %2 value heads of %3 have %4</source>
        <translation>It is %1, and %2 value heads of %3 have %4</translation>
    </message>
    <message>
        <source>It is %1, and should be from %2 to %3</source>
        <translation>It is %1, and should be from %2 to %3</translation>
    </message>
    <message>
        <source>It is %1, and the metadata ask for %2</source>
        <translation>It is %1, and the metadata ask for %2</translation>
    </message>
    <message>
        <source>It is %1, which can't be right</source>
        <translation>It is %1, which can't be right</translation>
    </message>
    <message>
        <source>It is a Git LFS pointer, a few lines that stand for the real file</source>
        <translation>It is a Git LFS pointer, a few lines that stand for the real file</translation>
    </message>
    <message>
        <source>It is a device or a pipe, not a file</source>
        <translation>It is a device or a pipe, not a file</translation>
    </message>
    <message>
        <source>It is a folder</source>
        <translation>It is a folder</translation>
    </message>
    <message>
        <source>It is always, or scarce (while energy or memory is short)</source>
        <translation>It is always, or scarce (while energy or memory is short)</translation>
    </message>
    <message>
        <source>It is big-endian, made for another kind of processor</source>
        <translation>It is big-endian, made for another kind of processor</translation>
    </message>
    <message>
        <source>It is compressed in a way that this program does not read</source>
        <translation>It is compressed in a way that this program does not read</translation>
    </message>
    <message>
        <source>It is damaged in line %1 at position %2</source>
        <translation>It is damaged in line %1 at position %2</translation>
    </message>
    <message>
        <source>It is damaged, or no PDF</source>
        <translation>It is damaged, or no PDF</translation>
    </message>
    <message>
        <source>It is damaged, or not whole</source>
        <translation>It is damaged, or not whole</translation>
    </message>
    <message>
        <source>It is empty</source>
        <translation>It is empty</translation>
    </message>
    <message>
        <source>It is f16 (exact) or q8_0 (half the memory)</source>
        <translation>It is f16 (exact) or q8_0 (half the memory)</translation>
    </message>
    <message>
        <source>It is file %1 of %2, and its name says something else</source>
        <translation>It is file %1 of %2, and its name says something else</translation>
    </message>
    <message>
        <source>It is larger than any memory</source>
        <translation>It is larger than any memory</translation>
    </message>
    <message>
        <source>It is locked in a way that can't be opened</source>
        <translation>It is locked in a way that can't be opened</translation>
    </message>
    <message>
        <source>It is locked with a password</source>
        <translation>It is locked with a password</translation>
    </message>
    <message>
        <source>It is longer than any model can read</source>
        <translation>It is longer than any model can read</translation>
    </message>
    <message>
        <source>It is missing: the model has %1 files</source>
        <translation>It is missing: the model has %1 files</translation>
    </message>
    <message>
        <source>It is more than %1 times the %2 that the model was trained for</source>
        <translation>It is more than %1 times the %2 that the model was trained for</translation>
    </message>
    <message>
        <source>It is negative</source>
        <translation>It is negative</translation>
    </message>
    <message>
        <source>It is no ordinary file</source>
        <translation>It is no ordinary file</translation>
    </message>
    <message>
        <source>It is not JSON</source>
        <translation>It is not JSON</translation>
    </message>
    <message>
        <source>It is not a JSON array</source>
        <translation>It is not a JSON array</translation>
    </message>
    <message>
        <source>It is not a JSON file</source>
        <translation>It is not a JSON file</translation>
    </message>
    <message>
        <source>It is not a JSON object</source>
        <translation>It is not a JSON object</translation>
    </message>
    <message>
        <source>It is not a list of three numbers or more</source>
        <translation>It is not a list of three numbers or more</translation>
    </message>
    <message>
        <source>It is not a text file</source>
        <translation>It is not a text file</translation>
    </message>
    <message>
        <source>It is not above 1, and YaRN needs pairs of different speeds</source>
        <translation>It is not above 1, and YaRN needs pairs of different speeds</translation>
    </message>
    <message>
        <source>It is not as long as its header says</source>
        <translation>It is not as long as its header says</translation>
    </message>
    <message>
        <source>It is not needed any more</source>
        <translation>It is not needed any more</translation>
    </message>
    <message>
        <source>It is not there any more</source>
        <translation>It is not there any more</translation>
    </message>
    <message>
        <source>It is of version %1, and this program knows version %2</source>
        <translation>It is of version %1, and this program knows version %2</translation>
    </message>
    <message>
        <source>It is one of several files of a model, and its name doesn't say which one</source>
        <translation>It is one of several files of a model, and its name doesn't say which one</translation>
    </message>
    <message>
        <source>It is only the text "%1"</source>
        <translation>It is only the text "%1"</translation>
    </message>
    <message>
        <source>It is too long</source>
        <translation>It is too long</translation>
    </message>
    <message>
        <source>It knows %1</source>
        <translation>It knows %1</translation>
    </message>
    <message>
        <source>It knows %1, and none of them has the file's %2</source>
        <translation>It knows %1, and none of them has the file's %2</translation>
    </message>
    <message>
        <source>It knows %1, and none of them has the file's %2 and %3 more kinds of weights</source>
        <translation>It knows %1, and none of them has the file's %2 and %3 more kinds of weights</translation>
    </message>
    <message>
        <source>It lacks %1</source>
        <translation>It lacks %1</translation>
    </message>
    <message>
        <source>It lacks memory that the program can use</source>
        <translation>It lacks memory that the program can use</translation>
    </message>
    <message>
        <source>It lacks what some layers need: %1</source>
        <translation>It lacks what some layers need: %1</translation>
    </message>
    <message>
        <source>It must be 0 (off) or more</source>
        <translation>It must be 0 (off) or more</translation>
    </message>
    <message>
        <source>It must be between %1 and %2</source>
        <translation>It must be between %1 and %2</translation>
    </message>
    <message>
        <source>It must be between %1 and %2 tokens</source>
        <translation>It must be between %1 and %2 tokens</translation>
    </message>
    <message>
        <source>It names %1 layers, and the file has %2 tensors</source>
        <translation>It names %1 layers, and the file has %2 tensors</translation>
    </message>
    <message>
        <source>It names experts or neurons that the model does not have</source>
        <translation>It names experts or neurons that the model does not have</translation>
    </message>
    <message>
        <source>It needs a slot beside those of dense layers</source>
        <translation>It needs a slot beside those of dense layers</translation>
    </message>
    <message>
        <source>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, experts %5, the rest %6</source>
        <translation>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, experts %5, the rest %6</translation>
    </message>
    <message>
        <source>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, layers %5, the rest %6</source>
        <translation>It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, layers %5, the rest %6</translation>
    </message>
    <message>
        <source>It needs at least one slot and one expert</source>
        <translation>It needs at least one slot and one expert</translation>
    </message>
    <message>
        <source>It promises %1 times the processor's speed for answers and %2 times for prompts, and one of them must be at least %3</source>
        <translation>It promises %1 times the processor's speed for answers and %2 times for prompts, and one of them must be at least %3</translation>
    </message>
    <message>
        <source>It reached a limit in line %1: %2</source>
        <translation>It reached a limit in line %1: %2</translation>
    </message>
    <message>
        <source>It should be a list of true and false for each of the model's %1 layers</source>
        <translation>It should be a list of true and false for each of the model's %1 layers</translation>
    </message>
    <message>
        <source>It should be a number</source>
        <translation>It should be a number</translation>
    </message>
    <message>
        <source>It should be one whole number from %1 to %2</source>
        <translation>It should be one whole number from %1 to %2</translation>
    </message>
    <message>
        <source>It should be text</source>
        <translation>It should be text</translation>
    </message>
    <message>
        <source>It should be true or false</source>
        <translation>It should be true or false</translation>
    </message>
    <message>
        <source>It shows a message that it does not have</source>
        <translation>It shows a message that it does not have</translation>
    </message>
    <message>
        <source>It stopped working since the program was started</source>
        <translation>It stopped working since the program was started</translation>
    </message>
    <message>
        <source>It takes %1, and the disk has room for %2</source>
        <translation>It takes %1, and the disk has room for %2</translation>
    </message>
    <message>
        <source>It uses %1 experts of layer %2, and the model has fewer</source>
        <translation>It uses %1 experts of layer %2, and the model has fewer</translation>
    </message>
    <message>
        <source>It was already finished</source>
        <translation>It was already finished</translation>
    </message>
    <message>
        <source>It was changed while it was being opened</source>
        <translation>It was changed while it was being opened</translation>
    </message>
    <message>
        <source>It was closed before the answer began</source>
        <translation>It was closed before the answer began</translation>
    </message>
    <message>
        <source>It was kept as %1, and new chats go into a new file</source>
        <translation>It was kept as %1, and new chats go into a new file</translation>
    </message>
    <message>
        <source>It was said to hold all of them</source>
        <translation>It was said to hold all of them</translation>
    </message>
    <message>
        <source>It would have %1 tokens, and the context holds %2</source>
        <translation>It would have %1 tokens, and the context holds %2</translation>
    </message>
    <message>
        <source>Its %1 values don't make a whole rank for a width of %2 and %3 tokens</source>
        <translation>Its %1 values don't make a whole rank for a width of %2 and %3 tokens</translation>
    </message>
    <message>
        <source>Its arrays would take too much of the memory that experts need, or the device computes it</source>
        <translation>Its arrays would take too much of the memory that experts need, or the device computes it</translation>
    </message>
    <message>
        <source>Its bytes are damaged</source>
        <translation>Its bytes are damaged</translation>
    </message>
    <message>
        <source>Its code can't be read, or asks for what no device is asked for</source>
        <translation>Its code can't be read, or asks for what no device is asked for</translation>
    </message>
    <message>
        <source>Its compressed bytes are damaged</source>
        <translation>Its compressed bytes are damaged</translation>
    </message>
    <message>
        <source>Its driver ended %1 with the error %2</source>
        <translation>Its driver ended %1 with the error %2</translation>
    </message>
    <message>
        <source>Its driver refused %1</source>
        <translation>Its driver refused %1</translation>
    </message>
    <message>
        <source>Its driver reports that it was lost (%1)</source>
        <translation>Its driver reports that it was lost (%1)</translation>
    </message>
    <message>
        <source>Its field "%1" is missing or of the wrong kind</source>
        <translation>Its field "%1" is missing or of the wrong kind</translation>
    </message>
    <message>
        <source>Its header is longer than %1, more than any model needs</source>
        <translation>Its header is longer than %1, more than any model needs</translation>
    </message>
    <message>
        <source>Its heads have %1 values, which is not a multiple of %2</source>
        <translation>Its heads have %1 values, which is not a multiple of %2</translation>
    </message>
    <message>
        <source>Its id is %1, and the model knows 0 to %2</source>
        <translation>Its id is %1, and the model knows 0 to %2</translation>
    </message>
    <message>
        <source>Its loader is not installed</source>
        <translation>Its loader is not installed</translation>
    </message>
    <message>
        <source>Its loader is older than version 1.2</source>
        <translation>Its loader is older than version 1.2</translation>
    </message>
    <message>
        <source>Its loader lacks functions that every loader has</source>
        <translation>Its loader lacks functions that every loader has</translation>
    </message>
    <message>
        <source>Its merges are larger than any vocabulary's</source>
        <translation>Its merges are larger than any vocabulary's</translation>
    </message>
    <message>
        <source>Its message %1 does not follow an earlier one</source>
        <translation>Its message %1 does not follow an earlier one</translation>
    </message>
    <message>
        <source>Its message %1 has the unknown state "%2"</source>
        <translation>Its message %1 has the unknown state "%2"</translation>
    </message>
    <message>
        <source>Its message %1 names a file that is not there</source>
        <translation>Its message %1 names a file that is not there</translation>
    </message>
    <message>
        <source>Its name for programs is too long</source>
        <translation>Its name for programs is too long</translation>
    </message>
    <message>
        <source>Its pages have no text: they may be pictures</source>
        <translation>Its pages have no text: they may be pictures</translation>
    </message>
    <message>
        <source>Its part %1 has %2 pairs</source>
        <translation>Its part %1 has %2 pairs</translation>
    </message>
    <message>
        <source>Its parts have %1 pairs together, and %2 values of a head rotate</source>
        <translation>Its parts have %1 pairs together, and %2 values of a head rotate</translation>
    </message>
    <message>
        <source>Its positions are not those of an answer</source>
        <translation>Its positions are not those of an answer</translation>
    </message>
    <message>
        <source>Its pre-tokenizer "%1" is not one that this program knows</source>
        <translation>Its pre-tokenizer "%1" is not one that this program knows</translation>
    </message>
    <message>
        <source>Its slots are larger than any memory</source>
        <translation>Its slots are larger than any memory</translation>
    </message>
    <message>
        <source>Its tensor '%1' is in an earlier file too</source>
        <translation>Its tensor '%1' is in an earlier file too</translation>
    </message>
    <message>
        <source>Its texts are larger than any vocabulary's</source>
        <translation>Its texts are larger than any vocabulary's</translation>
    </message>
    <message>
        <source>Its tokenizer "%1" is not one that this program knows (gpt2, llama, gemma4)</source>
        <translation>Its tokenizer "%1" is not one that this program knows (gpt2, llama, gemma4)</translation>
    </message>
    <message>
        <source>Its values are nested too deeply in line %1</source>
        <translation>Its values are nested too deeply in line %1</translation>
    </message>
    <message>
        <source>Its version is %1</source>
        <translation>Its version is %1</translation>
    </message>
    <message>
        <source>Key number %1 has no name</source>
        <translation>Key number %1 has no name</translation>
    </message>
    <message>
        <source>Layer %1 has other key heads than layer %2, whose keys it uses</source>
        <translation>Layer %1 has other key heads than layer %2, whose keys it uses</translation>
    </message>
    <message>
        <source>Layer %1 would use keys of an earlier layer of its kind, and there is none</source>
        <translation>Layer %1 would use keys of an earlier layer of its kind, and there is none</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Leave it out</translation>
    </message>
    <message>
        <source>Leave it out, or write the text that ends an answer</source>
        <translation>Leave it out, or write the text that ends an answer</translation>
    </message>
    <message>
        <source>Let the model answer first</source>
        <translation>Let the model answer first</translation>
    </message>
    <message>
        <source>Make room on that disk</source>
        <translation>Make room on that disk</translation>
    </message>
    <message>
        <source>Make sure that nothing replaces or deletes it, then open it again</source>
        <translation>Make sure that nothing replaces or deletes it, then open it again</translation>
    </message>
    <message>
        <source>Make sure that nothing writes to it, then open it again</source>
        <translation>Make sure that nothing writes to it, then open it again</translation>
    </message>
    <message>
        <source>Merge %1 is not two texts with a space between them</source>
        <translation>Merge %1 is not two texts with a space between them</translation>
    </message>
    <message>
        <source>More bytes are needed</source>
        <translation>More bytes are needed</translation>
    </message>
    <message>
        <source>More bytes follow after the last token</source>
        <translation>More bytes follow after the last token</translation>
    </message>
    <message>
        <source>Move it away and start again</source>
        <translation>Move it away and start again</translation>
    </message>
    <message>
        <source>Move it to a folder with a shorter path</source>
        <translation>Move it to a folder with a shorter path</translation>
    </message>
    <message>
        <source>Name a folder</source>
        <translation>Name a folder</translation>
    </message>
    <message>
        <source>Name the model that it was recorded with</source>
        <translation>Name the model that it was recorded with</translation>
    </message>
    <message>
        <source>New messages can't be kept</source>
        <translation>New messages can't be kept</translation>
    </message>
    <message>
        <source>No budget can be compared</source>
        <translation>No budget can be compared</translation>
    </message>
    <message>
        <source>No context is as long</source>
        <translation>No context is as long</translation>
    </message>
    <message>
        <source>No driver for Vulkan is installed, or none that works</source>
        <translation>No driver for Vulkan is installed, or none that works</translation>
    </message>
    <message>
        <source>No layer uses %1 experts for a token</source>
        <translation>No layer uses %1 experts for a token</translation>
    </message>
    <message>
        <source>No model has a layer %1</source>
        <translation>No model has a layer %1</translation>
    </message>
    <message>
        <source>No model has so many experts</source>
        <translation>No model has so many experts</translation>
    </message>
    <message>
        <source>No model is of its shape</source>
        <translation>No model is of its shape</translation>
    </message>
    <message>
        <source>No model is of this shape</source>
        <translation>No model is of this shape</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>No program wrote such a version</source>
        <translation>No program wrote such a version</translation>
    </message>
    <message>
        <source>No token has a probability: its numbers are not finite</source>
        <translation>No token has a probability: its numbers are not finite</translation>
    </message>
    <message>
        <source>No token of it uses an expert</source>
        <translation>No token of it uses an expert</translation>
    </message>
    <message>
        <source>Not all chats were exported</source>
        <translation>Not all chats were exported</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>Old chats were not erased from the bin</source>
        <translation>Old chats were not erased from the bin</translation>
    </message>
    <message>
        <source>Open a model and send again</source>
        <translation>Open a model and send again</translation>
    </message>
    <message>
        <source>Open a model and try again</source>
        <translation>Open a model and try again</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>Open it again</translation>
    </message>
    <message>
        <source>Open the file of the language model, which is usually beside it</source>
        <translation>Open the file of the language model, which is usually beside it</translation>
    </message>
    <message>
        <source>Open the model again</source>
        <translation>Open the model again</translation>
    </message>
    <message>
        <source>Opening the model was stopped</source>
        <translation>Opening the model was stopped</translation>
    </message>
    <message>
        <source>Pack the model again</source>
        <translation>Pack the model again</translation>
    </message>
    <message>
        <source>Please report this</source>
        <translation>Please report this</translation>
    </message>
    <message>
        <source>Put all files of the model into one folder, with the names that they came with</source>
        <translation>Put all files of the model into one folder, with the names that they came with</translation>
    </message>
    <message>
        <source>Read more</source>
        <translation>Read more</translation>
    </message>
    <message>
        <source>Record a model that has experts</source>
        <translation>Record a model that has experts</translation>
    </message>
    <message>
        <source>Record it again</source>
        <translation>Record it again</translation>
    </message>
    <message>
        <source>Records of answers were not removed</source>
        <translation>Records of answers were not removed</translation>
    </message>
    <message>
        <source>Rename the file</source>
        <translation>Rename the file</translation>
    </message>
    <message>
        <source>Report this as a bug</source>
        <translation>Report this as a bug</translation>
    </message>
    <message>
        <source>Restore the file chats.db from a copy, or move it away</source>
        <translation>Restore the file chats.db from a copy, or move it away</translation>
    </message>
    <message>
        <source>Save a copy without a password and attach that</source>
        <translation>Save a copy without a password and attach that</translation>
    </message>
    <message>
        <source>Save its text as a file and attach that</source>
        <translation>Save its text as a file and attach that</translation>
    </message>
    <message>
        <source>Shorten it or start a new chat</source>
        <translation>Shorten it or start a new chat</translation>
    </message>
    <message>
        <source>Shorten it or start a new chat, or open the model with a longer context (it was trained for %1)</source>
        <translation>Shorten it or start a new chat, or open the model with a longer context (it was trained for %1)</translation>
    </message>
    <message>
        <source>So many experts would have %1 neurons together</source>
        <translation>So many experts would have %1 neurons together</translation>
    </message>
    <message>
        <source>Some of its messages follow each other in a circle</source>
        <translation>Some of its messages follow each other in a circle</translation>
    </message>
    <message>
        <source>Some of its results are not finite numbers</source>
        <translation>Some of its results are not finite numbers</translation>
    </message>
    <message>
        <source>Start Coterie again</source>
        <translation>Start Coterie again</translation>
    </message>
    <message>
        <source>Start Coterie again, and report it if it happens again</source>
        <translation>Start Coterie again, and report it if it happens again</translation>
    </message>
    <message>
        <source>Start Coterie again: it keeps the damaged file aside and begins a new one</source>
        <translation>Start Coterie again: it keeps the damaged file aside and begins a new one</translation>
    </message>
    <message>
        <source>Start a new chat, or choose a longer context</source>
        <translation>Start a new chat, or choose a longer context</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Start it again</translation>
    </message>
    <message>
        <source>Start it again if it is still needed</source>
        <translation>Start it again if it is still needed</translation>
    </message>
    <message>
        <source>Start the program again to use it</source>
        <translation>Start the program again to use it</translation>
    </message>
    <message>
        <source>Tensor number %1 has no name</source>
        <translation>Tensor number %1 has no name</translation>
    </message>
    <message>
        <source>The PDF was not read</source>
        <translation>The PDF was not read</translation>
    </message>
    <message>
        <source>The answer ends here</source>
        <translation>The answer ends here</translation>
    </message>
    <message>
        <source>The answer is not saved yet</source>
        <translation>The answer is not saved yet</translation>
    </message>
    <message>
        <source>The answer was not begun</source>
        <translation>The answer was not begun</translation>
    </message>
    <message>
        <source>The answer was stopped</source>
        <translation>The answer was stopped</translation>
    </message>
    <message>
        <source>The attached file can't be read</source>
        <translation>The attached file can't be read</translation>
    </message>
    <message>
        <source>The attached files can't be read</source>
        <translation>The attached files can't be read</translation>
    </message>
    <message>
        <source>The bindings of %1 are others</source>
        <translation>The bindings of %1 are others</translation>
    </message>
    <message>
        <source>The byte token %1 is not written as &lt;0xNN&gt;, so it is ordinary text</source>
        <translation>The byte token %1 is not written as &lt;0xNN&gt;, so it is ordinary text</translation>
    </message>
    <message>
        <source>The chat is not there, or in the bin</source>
        <translation>The chat is not there, or in the bin</translation>
    </message>
    <message>
        <source>The chat template cannot be read</source>
        <translation>The chat template cannot be read</translation>
    </message>
    <message>
        <source>The chat template could not be used</source>
        <translation>The chat template could not be used</translation>
    </message>
    <message>
        <source>The chat template drops a system message when tools are offered, so it joins the first question then</source>
        <translation>The chat template drops a system message when tools are offered, so it joins the first question then</translation>
    </message>
    <message>
        <source>The chat template failed</source>
        <translation>The chat template failed</translation>
    </message>
    <message>
        <source>The chat template has no place for a system message, so it joins the first question</source>
        <translation>The chat template has no place for a system message, so it joins the first question</translation>
    </message>
    <message>
        <source>The chat template has no place for tools, so the model can't know them</source>
        <translation>The chat template has no place for tools, so the model can't know them</translation>
    </message>
    <message>
        <source>The chat template leaves out what the model thought in earlier answers</source>
        <translation>The chat template leaves out what the model thought in earlier answers</translation>
    </message>
    <message>
        <source>The chat template refuses this conversation</source>
        <translation>The chat template refuses this conversation</translation>
    </message>
    <message>
        <source>The chat template was stopped</source>
        <translation>The chat template was stopped</translation>
    </message>
    <message>
        <source>The chat was not added</source>
        <translation>The chat was not added</translation>
    </message>
    <message>
        <source>The chat was not changed</source>
        <translation>The chat was not changed</translation>
    </message>
    <message>
        <source>The chat was not deleted</source>
        <translation>The chat was not deleted</translation>
    </message>
    <message>
        <source>The chat was not erased</source>
        <translation>The chat was not erased</translation>
    </message>
    <message>
        <source>The chat was not moved</source>
        <translation>The chat was not moved</translation>
    </message>
    <message>
        <source>The chat was not renamed</source>
        <translation>The chat was not renamed</translation>
    </message>
    <message>
        <source>The chat was not taken back</source>
        <translation>The chat was not taken back</translation>
    </message>
    <message>
        <source>The chats can't be opened</source>
        <translation>The chats can't be opened</translation>
    </message>
    <message>
        <source>The chats can't be opened for an import</source>
        <translation>The chats can't be opened for an import</translation>
    </message>
    <message>
        <source>The chats can't be read</source>
        <translation>The chats can't be read</translation>
    </message>
    <message>
        <source>The chats were not exported</source>
        <translation>The chats were not exported</translation>
    </message>
    <message>
        <source>The chats were not imported</source>
        <translation>The chats were not imported</translation>
    </message>
    <message>
        <source>The chats were written by a newer version of Coterie (format %1), and this version only shows them</source>
        <translation>The chats were written by a newer version of Coterie (format %1), and this version only shows them</translation>
    </message>
    <message>
        <source>The chunk is out of range</source>
        <translation>The chunk is out of range</translation>
    </message>
    <message>
        <source>The context is out of range</source>
        <translation>The context is out of range</translation>
    </message>
    <message>
        <source>The context needs a larger buffer than it can have</source>
        <translation>The context needs a larger buffer than it can have</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for, but nothing is scaled, because no layer that rotates looks back further than its window</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for, but nothing is scaled, because no layer that rotates looks back further than its window</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, and answers may be worse</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, and answers may be worse</translation>
    </message>
    <message>
        <source>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, in addition to the file's own factor of %5, and answers may be worse</source>
        <translation>The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the rotation by %3 over %4 tokens, in addition to the file's own factor of %5, and answers may be worse</translation>
    </message>
    <message>
        <source>The context was full</source>
        <translation>The context was full</translation>
    </message>
    <message>
        <source>The conversation can't be counted</source>
        <translation>The conversation can't be counted</translation>
    </message>
    <message>
        <source>The conversation doesn't fit into the context</source>
        <translation>The conversation doesn't fit into the context</translation>
    </message>
    <message>
        <source>The conversation is too long for the context</source>
        <translation>The conversation is too long for the context</translation>
    </message>
    <message>
        <source>The database says: %1</source>
        <translation>The database says: %1</translation>
    </message>
    <message>
        <source>The device %1 can't be used</source>
        <translation>The device %1 can't be used</translation>
    </message>
    <message>
        <source>The device %1 can't compute this model</source>
        <translation>The device %1 can't compute this model</translation>
    </message>
    <message>
        <source>The device %1 chooses experts exactly, so approximate routing has no effect</source>
        <translation>The device %1 chooses experts exactly, so approximate routing has no effect</translation>
    </message>
    <message>
        <source>The device %1 computes the whole output head for each token, not only the rows that are likely to matter</source>
        <translation>The device %1 computes the whole output head for each token, not only the rows that are likely to matter</translation>
    </message>
    <message>
        <source>The device %1 computes this model: it promises %2 times the processor's speed for answers and %3 times for prompts</source>
        <translation>The device %1 computes this model: it promises %2 times the processor's speed for answers and %3 times for prompts</translation>
    </message>
    <message>
        <source>The device %1 doesn't report what experts do, so there is no trace</source>
        <translation>The device %1 doesn't report what experts do, so there is no trace</translation>
    </message>
    <message>
        <source>The device %1 rounds differently from the processor, so the same seed may give another text when experts are in other places</source>
        <translation>The device %1 rounds differently from the processor, so the same seed may give another text when experts are in other places</translation>
    </message>
    <message>
        <source>The device %1 stopped working. The device %2 is used instead.</source>
        <translation>The device %1 stopped working. The device %2 is used instead.</translation>
    </message>
    <message>
        <source>The device asks for experts</source>
        <translation>The device asks for experts</translation>
    </message>
    <message>
        <source>The disk can only be read</source>
        <translation>The disk can only be read</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>The disk is full</translation>
    </message>
    <message>
        <source>The disk with the folder %1 is full</source>
        <translation>The disk with the folder %1 is full</translation>
    </message>
    <message>
        <source>The disk with the folder %1 refuses to read or write</source>
        <translation>The disk with the folder %1 refuses to read or write</translation>
    </message>
    <message>
        <source>The edited text was not kept</source>
        <translation>The edited text was not kept</translation>
    </message>
    <message>
        <source>The elements of %1 have the unknown type %2</source>
        <translation>The elements of %1 have the unknown type %2</translation>
    </message>
    <message>
        <source>The engine could not go on</source>
        <translation>The engine could not go on</translation>
    </message>
    <message>
        <source>The expert store was misused</source>
        <translation>The expert store was misused</translation>
    </message>
    <message>
        <source>The experts in %1 do not fit in a slot</source>
        <translation>The experts in %1 do not fit in a slot</translation>
    </message>
    <message>
        <source>The experts in %1 reach beyond its end</source>
        <translation>The experts in %1 reach beyond its end</translation>
    </message>
    <message>
        <source>The experts' down matrices are square, and are taken as stored by neuron</source>
        <translation>The experts' down matrices are square, and are taken as stored by neuron</translation>
    </message>
    <message>
        <source>The experts' down matrices are square, and are taken as stored by row</source>
        <translation>The experts' down matrices are square, and are taken as stored by row</translation>
    </message>
    <message>
        <source>The export was stopped</source>
        <translation>The export was stopped</translation>
    </message>
    <message>
        <source>The file %1 has %2</source>
        <translation>The file %1 has %2</translation>
    </message>
    <message>
        <source>The file %1 is damaged and can't be renamed</source>
        <translation>The file %1 is damaged and can't be renamed</translation>
    </message>
    <message>
        <source>The file %1 was not attached</source>
        <translation>The file %1 was not attached</translation>
    </message>
    <message>
        <source>The file can't be read</source>
        <translation>The file can't be read</translation>
    </message>
    <message>
        <source>The file does not hold a whole model</source>
        <translation>The file does not hold a whole model</translation>
    </message>
    <message>
        <source>The file doesn't say how experts are weighted, so sigmoid is assumed, as in the published checkpoints</source>
        <translation>The file doesn't say how experts are weighted, so sigmoid is assumed, as in the published checkpoints</translation>
    </message>
    <message>
        <source>The file doesn't say how text becomes tokens: tokenizer.ggml.model is missing</source>
        <translation>The file doesn't say how text becomes tokens: tokenizer.ggml.model is missing</translation>
    </message>
    <message>
        <source>The file doesn't say how text is cut into words (tokenizer.ggml.pre), so an old rule is used; newer files of this architecture say "%1"</source>
        <translation>The file doesn't say how text is cut into words (tokenizer.ggml.pre), so an old rule is used; newer files of this architecture say "%1"</translation>
    </message>
    <message>
        <source>The file doesn't say which kind of model it holds</source>
        <translation>The file doesn't say which kind of model it holds</translation>
    </message>
    <message>
        <source>The file has no chat template, so the model continues the text of the conversation</source>
        <translation>The file has no chat template, so the model continues the text of the conversation</translation>
    </message>
    <message>
        <source>The file has no chat template, so turns are marked as in ChatML, whose tokens the vocabulary has</source>
        <translation>The file has no chat template, so turns are marked as in ChatML, whose tokens the vocabulary has</translation>
    </message>
    <message>
        <source>The file is damaged</source>
        <translation>The file is damaged</translation>
    </message>
    <message>
        <source>The file is empty</source>
        <translation>The file is empty</translation>
    </message>
    <message>
        <source>The file is in an older form: its tensor '%1' holds what newer files have in 'attn_qkv.weight' and 'attn_gate.weight'</source>
        <translation>The file is in an older form: its tensor '%1' holds what newer files have in 'attn_qkv.weight' and 'attn_gate.weight'</translation>
    </message>
    <message>
        <source>The file is of no chat program that is known here</source>
        <translation>The file is of no chat program that is known here</translation>
    </message>
    <message>
        <source>The file is shorter than it was when it was opened</source>
        <translation>The file is shorter than it was when it was opened</translation>
    </message>
    <message>
        <source>The file names ChatML in place of a chat template, so turns are marked that way</source>
        <translation>The file names ChatML in place of a chat template, so turns are marked that way</translation>
    </message>
    <message>
        <source>The file of chats is damaged</source>
        <translation>The file of chats is damaged</translation>
    </message>
    <message>
        <source>The file of chats is not open</source>
        <translation>The file of chats is not open</translation>
    </message>
    <message>
        <source>The file wants a prompt to start with a token that tokenizer.ggml.bos_token_id doesn't name, so a prompt starts without it</source>
        <translation>The file wants a prompt to start with a token that tokenizer.ggml.bos_token_id doesn't name, so a prompt starts without it</translation>
    </message>
    <message>
        <source>The file was changed after it had been opened</source>
        <translation>The file was changed after it had been opened</translation>
    </message>
    <message>
        <source>The file was not attached</source>
        <translation>The file was not attached</translation>
    </message>
    <message>
        <source>The file was not taken out</source>
        <translation>The file was not taken out</translation>
    </message>
    <message>
        <source>The file was written by a newer version of Coterie (format %1)</source>
        <translation>The file was written by a newer version of Coterie (format %1)</translation>
    </message>
    <message>
        <source>The file's chat template can't be used (%1), so the model continues the text of the conversation</source>
        <translation>The file's chat template can't be used (%1), so the model continues the text of the conversation</translation>
    </message>
    <message>
        <source>The file's chat template can't be used (%1), so turns are marked as in ChatML, whose tokens the vocabulary has</source>
        <translation>The file's chat template can't be used (%1), so turns are marked as in ChatML, whose tokens the vocabulary has</translation>
    </message>
    <message>
        <source>The file's chat template makes a prompt in which its words don't stand</source>
        <translation>The file's chat template makes a prompt in which its words don't stand</translation>
    </message>
    <message>
        <source>The file's last %1 layers only draft tokens ahead (nextn_predict_layers) and are not used</source>
        <translation>The file's last %1 layers only draft tokens ahead (nextn_predict_layers) and are not used</translation>
    </message>
    <message>
        <source>The file's metadata are incomplete</source>
        <translation>The file's metadata are incomplete</translation>
    </message>
    <message>
        <source>The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged</source>
        <translation>The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged</translation>
    </message>
    <message>
        <source>The files hold %1 tensors together, and the model has %2</source>
        <translation>The files hold %1 tensors together, and the model has %2</translation>
    </message>
    <message>
        <source>The files that were written stay. Start it again if you need all of them</source>
        <translation>The files that were written stay. Start it again if you need all of them</translation>
    </message>
    <message>
        <source>The folder %1 can't be written</source>
        <translation>The folder %1 can't be written</translation>
    </message>
    <message>
        <source>The folder has no file of a chat program that is known here</source>
        <translation>The folder has no file of a chat program that is known here</translation>
    </message>
    <message>
        <source>The folder is not there</source>
        <translation>The folder is not there</translation>
    </message>
    <message>
        <source>The folder was not changed</source>
        <translation>The folder was not changed</translation>
    </message>
    <message>
        <source>The folders can't be read</source>
        <translation>The folders can't be read</translation>
    </message>
    <message>
        <source>The folders were not added</source>
        <translation>The folders were not added</translation>
    </message>
    <message>
        <source>The graphics processor %1 can't be used</source>
        <translation>The graphics processor %1 can't be used</translation>
    </message>
    <message>
        <source>The graphics processor can't be used</source>
        <translation>The graphics processor can't be used</translation>
    </message>
    <message>
        <source>The graphics processor computes wrongly</source>
        <translation>The graphics processor computes wrongly</translation>
    </message>
    <message>
        <source>The graphics processor does not answer</source>
        <translation>The graphics processor does not answer</translation>
    </message>
    <message>
        <source>The graphics processor does not compute what its shaders say</source>
        <translation>The graphics processor does not compute what its shaders say</translation>
    </message>
    <message>
        <source>The graphics processor is gone</source>
        <translation>The graphics processor is gone</translation>
    </message>
    <message>
        <source>The head predictor is not used, because its rows of %1 values are not whole blocks of its format</source>
        <translation>The head predictor is not used, because its rows of %1 values are not whole blocks of its format</translation>
    </message>
    <message>
        <source>The header is longer than what was read</source>
        <translation>The header is longer than what was read</translation>
    </message>
    <message>
        <source>The import was stopped</source>
        <translation>The import was stopped</translation>
    </message>
    <message>
        <source>The kernels '%1' can't run</source>
        <translation>The kernels '%1' can't run</translation>
    </message>
    <message>
        <source>The key %1 is there twice</source>
        <translation>The key %1 is there twice</translation>
    </message>
    <message>
        <source>The key '%1' asks for something that is not in this program: %2</source>
        <translation>The key '%1' asks for something that is not in this program: %2</translation>
    </message>
    <message>
        <source>The key '%1' is missing</source>
        <translation>The key '%1' is missing</translation>
    </message>
    <message>
        <source>The key '%1' is wrong</source>
        <translation>The key '%1' is wrong</translation>
    </message>
    <message>
        <source>The key general.architecture is missing or is not text</source>
        <translation>The key general.architecture is missing or is not text</translation>
    </message>
    <message>
        <source>The largest number of tokens is out of range</source>
        <translation>The largest number of tokens is out of range</translation>
    </message>
    <message>
        <source>The length of %1 is %2 bytes, more than %3, at byte %4</source>
        <translation>The length of %1 is %2 bytes, more than %3, at byte %4</translation>
    </message>
    <message>
        <source>The message is not there, or was deleted</source>
        <translation>The message is not there, or was deleted</translation>
    </message>
    <message>
        <source>The message was not deleted</source>
        <translation>The message was not deleted</translation>
    </message>
    <message>
        <source>The message was not erased</source>
        <translation>The message was not erased</translation>
    </message>
    <message>
        <source>The message was not kept</source>
        <translation>The message was not kept</translation>
    </message>
    <message>
        <source>The message was not taken back</source>
        <translation>The message was not taken back</translation>
    </message>
    <message>
        <source>The message was not taken out</source>
        <translation>The message was not taken out</translation>
    </message>
    <message>
        <source>The model can't be loaded</source>
        <translation>The model can't be loaded</translation>
    </message>
    <message>
        <source>The model can't be prepared</source>
        <translation>The model can't be prepared</translation>
    </message>
    <message>
        <source>The model can't go on</source>
        <translation>The model can't go on</translation>
    </message>
    <message>
        <source>The model doesn't fit into %1 of memory</source>
        <translation>The model doesn't fit into %1 of memory</translation>
    </message>
    <message>
        <source>The model doesn't fit into the memory of the device %1</source>
        <translation>The model doesn't fit into the memory of the device %1</translation>
    </message>
    <message>
        <source>The model has no experts, and its layers are read in large pieces as they are</source>
        <translation>The model has no experts, and its layers are read in large pieces as they are</translation>
    </message>
    <message>
        <source>The model is not loaded</source>
        <translation>The model is not loaded</translation>
    </message>
    <message>
        <source>The model would not get your message</source>
        <translation>The model would not get your message</translation>
    </message>
    <message>
        <source>The model's output can't be used</source>
        <translation>The model's output can't be used</translation>
    </message>
    <message>
        <source>The model's rotation is right for %1</source>
        <translation>The model's rotation is right for %1</translation>
    </message>
    <message>
        <source>The model's vocabulary can't be used</source>
        <translation>The model's vocabulary can't be used</translation>
    </message>
    <message>
        <source>The new chat was not made</source>
        <translation>The new chat was not made</translation>
    </message>
    <message>
        <source>The number of alternatives is out of range</source>
        <translation>The number of alternatives is out of range</translation>
    </message>
    <message>
        <source>The number of threads is out of range</source>
        <translation>The number of threads is out of range</translation>
    </message>
    <message>
        <source>The option %1 can't be used</source>
        <translation>The option %1 can't be used</translation>
    </message>
    <message>
        <source>The other model was not opened</source>
        <translation>The other model was not opened</translation>
    </message>
    <message>
        <source>The other version can't be shown</source>
        <translation>The other version can't be shown</translation>
    </message>
    <message>
        <source>The packed experts in %1 can't be used</source>
        <translation>The packed experts in %1 can't be used</translation>
    </message>
    <message>
        <source>The packed experts were not all read</source>
        <translation>The packed experts were not all read</translation>
    </message>
    <message>
        <source>The path is not valid text</source>
        <translation>The path is not valid text</translation>
    </message>
    <message>
        <source>The path is too long for this system</source>
        <translation>The path is too long for this system</translation>
    </message>
    <message>
        <source>The processor</source>
        <translation>The processor</translation>
    </message>
    <message>
        <source>The processor computes this model, not the device %1: %2</source>
        <translation>The processor computes this model, not the device %1: %2</translation>
    </message>
    <message>
        <source>The program has no shader %1</source>
        <translation>The program has no shader %1</translation>
    </message>
    <message>
        <source>The prompt has no tokens</source>
        <translation>The prompt has no tokens</translation>
    </message>
    <message>
        <source>The record of an answer can't be read</source>
        <translation>The record of an answer can't be read</translation>
    </message>
    <message>
        <source>The record of an answer was not kept</source>
        <translation>The record of an answer was not kept</translation>
    </message>
    <message>
        <source>The record of token %1 holds what no layer can do</source>
        <translation>The record of token %1 holds what no layer can do</translation>
    </message>
    <message>
        <source>The sampling option %1 is out of range</source>
        <translation>The sampling option %1 is out of range</translation>
    </message>
    <message>
        <source>The sliding window is 0, which is taken to mean that there is none</source>
        <translation>The sliding window is 0, which is taken to mean that there is none</translation>
    </message>
    <message>
        <source>The special token %1 is longer than any may be, so it is ordinary text</source>
        <translation>The special token %1 is longer than any may be, so it is ordinary text</translation>
    </message>
    <message>
        <source>The stored tokens of an answer can't be read</source>
        <translation>The stored tokens of an answer can't be read</translation>
    </message>
    <message>
        <source>The system does not name one</source>
        <translation>The system does not name one</translation>
    </message>
    <message>
        <source>The system does not permit it</source>
        <translation>The system does not permit it</translation>
    </message>
    <message>
        <source>The system gives no thread to read it with</source>
        <translation>The system gives no thread to read it with</translation>
    </message>
    <message>
        <source>The system has no memory left</source>
        <translation>The system has no memory left</translation>
    </message>
    <message>
        <source>The system refused %1</source>
        <translation>The system refused %1</translation>
    </message>
    <message>
        <source>The system refused a thread</source>
        <translation>The system refused a thread</translation>
    </message>
    <message>
        <source>The temporary chats can't be opened</source>
        <translation>The temporary chats can't be opened</translation>
    </message>
    <message>
        <source>The tensor %1 doesn't start at a multiple of %2</source>
        <translation>The tensor %1 doesn't start at a multiple of %2</translation>
    </message>
    <message>
        <source>The tensor %1 has %2 dimensions</source>
        <translation>The tensor %1 has %2 dimensions</translation>
    </message>
    <message>
        <source>The tensor %1 is larger than any file</source>
        <translation>The tensor %1 is larger than any file</translation>
    </message>
    <message>
        <source>The tensor %1 is there twice</source>
        <translation>The tensor %1 is there twice</translation>
    </message>
    <message>
        <source>The tensor %1 reaches beyond the end of the file, which was not copied whole</source>
        <translation>The tensor %1 reaches beyond the end of the file, which was not copied whole</translation>
    </message>
    <message>
        <source>The tensor '%1' has the wrong shape</source>
        <translation>The tensor '%1' has the wrong shape</translation>
    </message>
    <message>
        <source>The tensor '%1' is missing</source>
        <translation>The tensor '%1' is missing</translation>
    </message>
    <message>
        <source>The tensor '%1' is stored in it</source>
        <translation>The tensor '%1' is stored in it</translation>
    </message>
    <message>
        <source>The tensor '%1' is stored in the format %2, with which it can't compute</source>
        <translation>The tensor '%1' is stored in the format %2, with which it can't compute</translation>
    </message>
    <message>
        <source>The tensor 'lm_head_profiler.weight' has the wrong shape</source>
        <translation>The tensor 'lm_head_profiler.weight' has the wrong shape</translation>
    </message>
    <message>
        <source>The tensor 'rope_freqs.weight' is wrong</source>
        <translation>The tensor 'rope_freqs.weight' is wrong</translation>
    </message>
    <message>
        <source>The tensor 'token_embd.weight' is too large</source>
        <translation>The tensor 'token_embd.weight' is too large</translation>
    </message>
    <message>
        <source>The tensors %1 and %2 overlap</source>
        <translation>The tensors %1 and %2 overlap</translation>
    </message>
    <message>
        <source>The text is too long to be kept</source>
        <translation>The text is too long to be kept</translation>
    </message>
    <message>
        <source>The tokens of its prompt are not those of an answer</source>
        <translation>The tokens of its prompt are not those of an answer</translation>
    </message>
    <message>
        <source>The tools that were offered did not reach the model: its prompt has no place for them</source>
        <translation>The tools that were offered did not reach the model: its prompt has no place for them</translation>
    </message>
    <message>
        <source>The trace can't be replayed</source>
        <translation>The trace can't be replayed</translation>
    </message>
    <message>
        <source>The trace has no tokens</source>
        <translation>The trace has no tokens</translation>
    </message>
    <message>
        <source>The unsent text was not kept</source>
        <translation>The unsent text was not kept</translation>
    </message>
    <message>
        <source>The user asked for it</source>
        <translation>The user asked for it</translation>
    </message>
    <message>
        <source>The user stopped it</source>
        <translation>The user stopped it</translation>
    </message>
    <message>
        <source>The validation layer is not installed</source>
        <translation>The validation layer is not installed</translation>
    </message>
    <message>
        <source>The value of %1 claims %2 elements, more than the file can hold</source>
        <translation>The value of %1 claims %2 elements, more than the file can hold</translation>
    </message>
    <message>
        <source>The value of %1 has the unknown type %2</source>
        <translation>The value of %1 has the unknown type %2</translation>
    </message>
    <message>
        <source>The value of %1 is an array of arrays</source>
        <translation>The value of %1 is an array of arrays</translation>
    </message>
    <message>
        <source>The value of %1 is neither true nor false</source>
        <translation>The value of %1 is neither true nor false</translation>
    </message>
    <message>
        <source>The vocabulary does not fit the model</source>
        <translation>The vocabulary does not fit the model</translation>
    </message>
    <message>
        <source>The vocabulary has %1</source>
        <translation>The vocabulary has %1</translation>
    </message>
    <message>
        <source>The waiting messages can't be read</source>
        <translation>The waiting messages can't be read</translation>
    </message>
    <message>
        <source>The work was stopped</source>
        <translation>The work was stopped</translation>
    </message>
    <message>
        <source>The zip file can't be read</source>
        <translation>The zip file can't be read</translation>
    </message>
    <message>
        <source>Their file is damaged (%1)</source>
        <translation>Their file is damaged (%1)</translation>
    </message>
    <message>
        <source>There are no chats in the file</source>
        <translation>There are no chats in the file</translation>
    </message>
    <message>
        <source>There are no kernels called '%1'</source>
        <translation>There are no kernels called '%1'</translation>
    </message>
    <message>
        <source>There is a file %1 already</source>
        <translation>There is a file %1 already</translation>
    </message>
    <message>
        <source>There is no KV cache called '%1'</source>
        <translation>There is no KV cache called '%1'</translation>
    </message>
    <message>
        <source>There is no Vulkan on this machine</source>
        <translation>There is no Vulkan on this machine</translation>
    </message>
    <message>
        <source>There is no device called '%1'</source>
        <translation>There is no device called '%1'</translation>
    </message>
    <message>
        <source>There is no expert %1</source>
        <translation>There is no expert %1</translation>
    </message>
    <message>
        <source>There is no folder for packed files</source>
        <translation>There is no folder for packed files</translation>
    </message>
    <message>
        <source>There is no memory for measuring the disk</source>
        <translation>There is no memory for measuring the disk</translation>
    </message>
    <message>
        <source>There is no memory for measuring the processor</source>
        <translation>There is no memory for measuring the processor</translation>
    </message>
    <message>
        <source>There is no memory for one expert</source>
        <translation>There is no memory for one expert</translation>
    </message>
    <message>
        <source>There is no memory for one packed expert</source>
        <translation>There is no memory for one packed expert</translation>
    </message>
    <message>
        <source>There is no memory for regrouping weights</source>
        <translation>There is no memory for regrouping weights</translation>
    </message>
    <message>
        <source>There is no memory for rows of embeddings</source>
        <translation>There is no memory for rows of embeddings</translation>
    </message>
    <message>
        <source>There is no memory for the KV cache</source>
        <translation>There is no memory for the KV cache</translation>
    </message>
    <message>
        <source>There is no memory for the activations</source>
        <translation>There is no memory for the activations</translation>
    </message>
    <message>
        <source>There is no memory for the conversation's state</source>
        <translation>There is no memory for the conversation's state</translation>
    </message>
    <message>
        <source>There is no memory for the expert slots</source>
        <translation>There is no memory for the expert slots</translation>
    </message>
    <message>
        <source>There is no memory for the head's sketch</source>
        <translation>There is no memory for the head's sketch</translation>
    </message>
    <message>
        <source>There is no memory for the header of packed experts</source>
        <translation>There is no memory for the header of packed experts</translation>
    </message>
    <message>
        <source>There is no memory for the model's resident weights</source>
        <translation>There is no memory for the model's resident weights</translation>
    </message>
    <message>
        <source>There is no memory for the trace</source>
        <translation>There is no memory for the trace</translation>
    </message>
    <message>
        <source>There is no memory left for the graphics processor</source>
        <translation>There is no memory left for the graphics processor</translation>
    </message>
    <message>
        <source>There is no such file or folder</source>
        <translation>There is no such file or folder</translation>
    </message>
    <message>
        <source>There is no such graphics processor</source>
        <translation>There is no such graphics processor</translation>
    </message>
    <message>
        <source>There is no time called '%1'</source>
        <translation>There is no time called '%1'</translation>
    </message>
    <message>
        <source>There is no token %1</source>
        <translation>There is no token %1</translation>
    </message>
    <message>
        <source>There is nothing to continue</source>
        <translation>There is nothing to continue</translation>
    </message>
    <message>
        <source>They are fewer than their header says</source>
        <translation>They are fewer than their header says</translation>
    </message>
    <message>
        <source>They are of version %1, and this program knows version %2</source>
        <translation>They are of version %1, and this program knows version %2</translation>
    </message>
    <message>
        <source>They do not begin as stored tokens do</source>
        <translation>They do not begin as stored tokens do</translation>
    </message>
    <message>
        <source>They were made from another model, or by another version of this program</source>
        <translation>They were made from another model, or by another version of this program</translation>
    </message>
    <message>
        <source>They were written by a newer version of Coterie (format %1)</source>
        <translation>They were written by a newer version of Coterie (format %1)</translation>
    </message>
    <message>
        <source>This GGUF file can't be read</source>
        <translation>This GGUF file can't be read</translation>
    </message>
    <message>
        <source>This build knows %1</source>
        <translation>This build knows %1</translation>
    </message>
    <message>
        <source>This build of Coterie can't read PDFs</source>
        <translation>This build of Coterie can't read PDFs</translation>
    </message>
    <message>
        <source>This file belongs to a language model, and can't answer without it</source>
        <translation>This file belongs to a language model, and can't answer without it</translation>
    </message>
    <message>
        <source>This file belongs to the language model '%1', and can't answer without it</source>
        <translation>This file belongs to the language model '%1', and can't answer without it</translation>
    </message>
    <message>
        <source>This file system has no folders</source>
        <translation>This file system has no folders</translation>
    </message>
    <message>
        <source>This is not a GGUF file</source>
        <translation>This is not a GGUF file</translation>
    </message>
    <message>
        <source>This is not a valid GGUF file</source>
        <translation>This is not a valid GGUF file</translation>
    </message>
    <message>
        <source>This machine has %1</source>
        <translation>This machine has %1</translation>
    </message>
    <message>
        <source>This machine's processor or system lacks what they need</source>
        <translation>This machine's processor or system lacks what they need</translation>
    </message>
    <message>
        <source>This model can't have a KV cache in %1</source>
        <translation>This model can't have a KV cache in %1</translation>
    </message>
    <message>
        <source>This model can't run</source>
        <translation>This model can't run</translation>
    </message>
    <message>
        <source>This model can't run on %1</source>
        <translation>This model can't run on %1</translation>
    </message>
    <message>
        <source>This model can't run on the graphics processor</source>
        <translation>This model can't run on the graphics processor</translation>
    </message>
    <message>
        <source>This model could see images; Coterie cannot yet</source>
        <translation>This model could see images; Coterie cannot yet</translation>
    </message>
    <message>
        <source>This model's text can't be split into tokens</source>
        <translation>This model's text can't be split into tokens</translation>
    </message>
    <message>
        <source>This program can't compute with the format %1</source>
        <translation>This program can't compute with the format %1</translation>
    </message>
    <message>
        <source>This program can't run the architecture '%1'</source>
        <translation>This program can't run the architecture '%1'</translation>
    </message>
    <message>
        <source>This program can't run this variant of the model</source>
        <translation>This program can't run this variant of the model</translation>
    </message>
    <message>
        <source>Token %1 holds what no token can</source>
        <translation>Token %1 holds what no token can</translation>
    </message>
    <message>
        <source>Token %1 is longer than any token may be</source>
        <translation>Token %1 is longer than any token may be</translation>
    </message>
    <message>
        <source>Too many files are open</source>
        <translation>Too many files are open</translation>
    </message>
    <message>
        <source>Unpack it and choose the file conversations.json</source>
        <translation>Unpack it and choose the file conversations.json</translation>
    </message>
    <message>
        <source>Update the program to see it</source>
        <translation>Update the program to see it</translation>
    </message>
    <message>
        <source>Update the program, or record the trace again</source>
        <translation>Update the program, or record the trace again</translation>
    </message>
    <message>
        <source>Update the program, or write the answer again</source>
        <translation>Update the program, or write the answer again</translation>
    </message>
    <message>
        <source>Use a model of another family, or a newer version of this program</source>
        <translation>Use a model of another family, or a newer version of this program</translation>
    </message>
    <message>
        <source>Use a shorter text</source>
        <translation>Use a shorter text</translation>
    </message>
    <message>
        <source>Use ids from this model's own vocabulary</source>
        <translation>Use ids from this model's own vocabulary</translation>
    </message>
    <message>
        <source>Use it as it is</source>
        <translation>Use it as it is</translation>
    </message>
    <message>
        <source>Use the system's files</source>
        <translation>Use the system's files</translation>
    </message>
    <message>
        <source>Use tokens of this model's tokenizer</source>
        <translation>Use tokens of this model's tokenizer</translation>
    </message>
    <message>
        <source>Value %1 of %2 is %3 instead of %4</source>
        <translation>Value %1 of %2 is %3 instead of %4</translation>
    </message>
    <message>
        <source>Vulkan can't be used</source>
        <translation>Vulkan can't be used</translation>
    </message>
    <message>
        <source>Vulkan knows %1 of them on this machine</source>
        <translation>Vulkan knows %1 of them on this machine</translation>
    </message>
    <message>
        <source>Wait for it to end or stop it, then try again</source>
        <translation>Wait for it to end or stop it, then try again</translation>
    </message>
    <message>
        <source>With it the model could see images, but Coterie cannot yet</source>
        <translation>With it the model could see images, but Coterie cannot yet</translation>
    </message>
    <message>
        <source>Without a chat template there is no place for tools, so the model can't know them</source>
        <translation>Without a chat template there is no place for tools, so the model can't know them</translation>
    </message>
    <message>
        <source>Without a chat template there is no place for what the model thought in earlier answers</source>
        <translation>Without a chat template there is no place for what the model thought in earlier answers</translation>
    </message>
    <message>
        <source>Write a name</source>
        <translation>Write a name</translation>
    </message>
    <message>
        <source>Write something first</source>
        <translation>Write something first</translation>
    </message>
    <message>
        <source>Write the answer again</source>
        <translation>Write the answer again</translation>
    </message>
    <message>
        <source>Write the answer again to get a new record</source>
        <translation>Write the answer again to get a new record</translation>
    </message>
    <message>
        <source>Write the message in another way, or use another file of this model</source>
        <translation>Write the message in another way, or use another file of this model</translation>
    </message>
    <message>
        <source>You stopped it</source>
        <translation>You stopped it</translation>
    </message>
    <message>
        <source>a dense part beside experts</source>
        <translation>a dense part beside experts</translation>
    </message>
    <message>
        <source>a key</source>
        <translation>a key</translation>
    </message>
    <message>
        <source>a key's name</source>
        <translation>a key's name</translation>
    </message>
    <message>
        <source>a scale of scores</source>
        <translation>a scale of scores</translation>
    </message>
    <message>
        <source>a scale of the embedding</source>
        <translation>a scale of the embedding</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>a string</translation>
    </message>
    <message>
        <source>a string in an array</source>
        <translation>a string in an array</translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation>a tensor</translation>
    </message>
    <message>
        <source>a tensor's name</source>
        <translation>a tensor's name</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>a value</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>an array</translation>
    </message>
    <message>
        <source>embeddings by layer</source>
        <translation>embeddings by layer</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>frequency penalty</translation>
    </message>
    <message>
        <source>gate and up of experts in one tensor</source>
        <translation>gate and up of experts in one tensor</translation>
    </message>
    <message>
        <source>gates on attention</source>
        <translation>gates on attention</translation>
    </message>
    <message>
        <source>general.alignment is not a power of two between 1 and %1</source>
        <translation>general.alignment is not a power of two between 1 and %1</translation>
    </message>
    <message>
        <source>it is %1, and 1 (softmax) and 2 (sigmoid) are known</source>
        <translation>it is %1, and 1 (softmax) and 2 (sigmoid) are known</translation>
    </message>
    <message>
        <source>it is %1, which this family doesn't have here</source>
        <translation>it is %1, which this family doesn't have here</translation>
    </message>
    <message>
        <source>it is '%1', and 'linear', 'yarn' and 'none' are known</source>
        <translation>it is '%1', and 'linear', 'yarn' and 'none' are known</translation>
    </message>
    <message>
        <source>it is false, and a model that answers sees only what stands before</source>
        <translation>it is false, and a model that answers sees only what stands before</translation>
    </message>
    <message>
        <source>keys as values</source>
        <translation>keys as values</translation>
    </message>
    <message>
        <source>keys of earlier layers</source>
        <translation>keys of earlier layers</translation>
    </message>
    <message>
        <source>norms of outputs</source>
        <translation>norms of outputs</translation>
    </message>
    <message>
        <source>norms of values</source>
        <translation>norms of values</translation>
    </message>
    <message>
        <source>penalty window</source>
        <translation>penalty window</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>presence penalty</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>repetition penalty</translation>
    </message>
    <message>
        <source>rotations by layer</source>
        <translation>rotations by layer</translation>
    </message>
    <message>
        <source>scales of layers</source>
        <translation>scales of layers</translation>
    </message>
    <message>
        <source>short convolutions</source>
        <translation>short convolutions</translation>
    </message>
    <message>
        <source>soft caps</source>
        <translation>soft caps</translation>
    </message>
    <message>
        <source>the gated delta rule</source>
        <translation>the gated delta rule</translation>
    </message>
    <message>
        <source>the header</source>
        <translation>the header</translation>
    </message>
    <message>
        <source>this family is known here without experts only</source>
        <translation>this family is known here without experts only</translation>
    </message>
    <message>
        <source>tokenizer.ggml.merges is missing or holds no texts</source>
        <translation>tokenizer.ggml.merges is missing or holds no texts</translation>
    </message>
    <message>
        <source>tokenizer.ggml.scores holds no numbers</source>
        <translation>tokenizer.ggml.scores holds no numbers</translation>
    </message>
    <message>
        <source>tokenizer.ggml.tokens is missing or holds no texts</source>
        <translation>tokenizer.ggml.tokens is missing or holds no texts</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Dismiss</source>
        <translation>Dismiss</translation>
    </message>
</context>
<context>
    <name>ErrorInfo</name>
    <message>
        <source>No file was named</source>
        <translation>No file was named</translation>
    </message>
    <message>
        <source>Save again, and give the file a name</source>
        <translation>Save again, and give the file a name</translation>
    </message>
</context>
<context>
    <name>ExchangeCommands</name>
    <message>
        <source>Export all chats</source>
        <translation>Export all chats</translation>
    </message>
    <message>
        <source>Export all chats as Markdown</source>
        <translation>Export all chats as Markdown</translation>
    </message>
    <message>
        <source>Export and import</source>
        <translation>Export and import</translation>
    </message>
    <message>
        <source>Export this chat as JSON</source>
        <translation>Export this chat as JSON</translation>
    </message>
    <message>
        <source>Export this chat as Markdown</source>
        <translation>Export this chat as Markdown</translation>
    </message>
    <message>
        <source>Export this chat with all branches as Markdown</source>
        <translation>Export this chat with all branches as Markdown</translation>
    </message>
    <message>
        <source>Import a folder of chats</source>
        <translation>Import a folder of chats</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Import chats</translation>
    </message>
</context>
<context>
    <name>ExchangeDialogs</name>
    <message>
        <source>All files (*)</source>
        <translation>All files (*)</translation>
    </message>
    <message>
        <source>Chats (*.json *.jsonl *.zip)</source>
        <translation>Chats (*.json *.jsonl *.zip)</translation>
    </message>
    <message>
        <source>Export all chats</source>
        <translation>Export all chats</translation>
    </message>
    <message>
        <source>Export all chats as Markdown</source>
        <translation>Export all chats as Markdown</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>Export the chat</translation>
    </message>
    <message>
        <source>Import a folder of chats</source>
        <translation>Import a folder of chats</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Import chats</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
</context>
<context>
    <name>ExchangePage</name>
    <message>
        <source>All chats</source>
        <translation>All chats</translation>
    </message>
    <message>
        <source>All chats for reading</source>
        <translation>All chats for reading</translation>
    </message>
    <message>
        <source>All chats of LM Studio or Jan</source>
        <translation>All chats of LM Studio or Jan</translation>
    </message>
    <message>
        <source>Also what is in the bin</source>
        <translation>Also what is in the bin</translation>
    </message>
    <message>
        <source>As JSON&#8230;</source>
        <translation>As JSON&#8230;</translation>
    </message>
    <message>
        <source>As Markdown&#8230;</source>
        <translation>As Markdown&#8230;</translation>
    </message>
    <message>
        <source>Chats from files</source>
        <translation>Chats from files</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Close</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Export all chats&#8230;</source>
        <translation>Export all chats&#8230;</translation>
    </message>
    <message>
        <source>Export and import</source>
        <translation>Export and import</translation>
    </message>
    <message>
        <source>Export as Markdown&#8230;</source>
        <translation>Export as Markdown&#8230;</translation>
    </message>
    <message>
        <source>Exporting: %1 done</source>
        <translation>Exporting: %1 done</translation>
    </message>
    <message>
        <source>Exports of Coterie, ChatGPT (the zip file or conversations.json), LM Studio, Jan (thread.json, or a thread exported as JSON) and llama.cpp's web page (JSONL, JSON or the zip file). Chats that are here already are not doubled.</source>
        <translation>Exports of Coterie, ChatGPT (the zip file or conversations.json), LM Studio, Jan (thread.json, or a thread exported as JSON) and llama.cpp's web page (JSONL, JSON or the zip file). Chats that are here already are not doubled.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Import a folder&#8230;</source>
        <translation>Import a folder&#8230;</translation>
    </message>
    <message>
        <source>Import chats&#8230;</source>
        <translation>Import chats&#8230;</translation>
    </message>
    <message>
        <source>Importing: %1 done</source>
        <translation>Importing: %1 done</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Include</translation>
    </message>
    <message>
        <source>LM Studio and Jan keep a file for each chat. Choose their folder of chats: .lmstudio/conversations in your home folder, or threads in the data folder of Jan. Other files in it are passed over.</source>
        <translation>LM Studio and Jan keep a file for each chat. Choose their folder of chats: .lmstudio/conversations in your home folder, or threads in the data folder of Jan. Other files in it are passed over.</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Leave out</translation>
    </message>
    <message>
        <source>One JSON file with every chat, all branches, attached files, folders and settings. Coterie can import it on any computer.</source>
        <translation>One JSON file with every chat, all branches, attached files, folders and settings. Coterie can import it on any computer.</translation>
    </message>
    <message>
        <source>One Markdown file for each chat, in a folder that you choose. No file in it is replaced. Markdown is for reading: it can't be imported.</source>
        <translation>One Markdown file for each chat, in a folder that you choose. No file in it is replaced. Markdown is for reading: it can't be imported.</translation>
    </message>
    <message>
        <source>Open a chat to export it alone. A temporary chat must be kept first.</source>
        <translation>Open a chat to export it alone. A temporary chat must be kept first.</translation>
    </message>
    <message>
        <source>Records of answers</source>
        <translation>Records of answers</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>The open chat</source>
        <translation>The open chat</translation>
    </message>
    <message>
        <source>What the experts did with each answer. This can make the file many times as large.</source>
        <translation>What the experts did with each answer. This can make the file many times as large.</translation>
    </message>
</context>
<context>
    <name>ExpertGauge</name>
    <message>
        <source>Experts</source>
        <translation>Experts</translation>
    </message>
    <message>
        <source>Experts from memory</source>
        <translation>Experts from memory</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Layers from memory</source>
        <translation>Layers from memory</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>idle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>none</translation>
    </message>
</context>
<context>
    <name>ExpertGridView</name>
    <message>
        <source>Drag to move the grid.</source>
        <translation>Drag to move the grid.</translation>
    </message>
    <message>
        <source>Experts: a row for each layer. The arrow keys move, Enter selects</source>
        <translation>Experts: a row for each layer. The arrow keys move, Enter selects</translation>
    </message>
    <message>
        <source>Larger cells</source>
        <translation>Larger cells</translation>
    </message>
    <message>
        <source>Layers of the model</source>
        <translation>Layers of the model</translation>
    </message>
    <message>
        <source>Point at a cell to read its value.</source>
        <translation>Point at a cell to read its value.</translation>
    </message>
    <message>
        <source>Show the values as a table</source>
        <translation>Show the values as a table</translation>
    </message>
    <message>
        <source>Smaller cells</source>
        <translation>Smaller cells</translation>
    </message>
</context>
<context>
    <name>ExpertList</name>
    <message>
        <source>By layer</source>
        <translation>By layer</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Expert</translation>
    </message>
    <message>
        <source>Experts as a table</source>
        <translation>Experts as a table</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Layer</translation>
    </message>
    <message>
        <source>Layers as a table</source>
        <translation>Layers as a table</translation>
    </message>
    <message>
        <source>Of 100 uses of experts in the layer</source>
        <translation>Of 100 uses of experts in the layer</translation>
    </message>
    <message>
        <source>Order of the table</source>
        <translation>Order of the table</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Place</translation>
    </message>
    <message>
        <source>Strongest first</source>
        <translation>Strongest first</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Waited for the disk</source>
        <translation>Waited for the disk</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Weight</translation>
    </message>
</context>
<context>
    <name>ExpertPanel</name>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s) are in memory. The others are read from disk when they are used.</source>
        <translation><numerusform>%1 of %Ln expert is in memory. The others are read from disk when they are used.</numerusform><numerusform>%1 of %Ln experts are in memory. The others are read from disk when they are used.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s) are in memory. The others are read from disk for each token.</source>
        <translation><numerusform>%1 of %Ln layer is in memory. The others are read from disk for each token.</numerusform><numerusform>%1 of %Ln layers are in memory. The others are read from disk for each token.</numerusform></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln expert(s) are in memory: nothing is read from disk while the model answers.</source>
        <translation><numerusform>The %Ln expert is in memory: nothing is read from disk while the model answers.</numerusform><numerusform>All %Ln experts are in memory: nothing is read from disk while the model answers.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>All %Ln layer(s) are in memory: nothing is read from disk while the model answers.</source>
        <translation><numerusform>The %Ln layer is in memory: nothing is read from disk while the model answers.</numerusform><numerusform>All %Ln layers are in memory: nothing is read from disk while the model answers.</numerusform></translation>
    </message>
    <message>
        <source>From memory</source>
        <translation>From memory</translation>
    </message>
    <message>
        <source>No model is open. While a model answers, this shows where its experts come from.</source>
        <translation>No model is open. While a model answers, this shows where its experts come from.</translation>
    </message>
    <message>
        <source>Read from disk</source>
        <translation>Read from disk</translation>
    </message>
    <message>
        <source>Since the model was opened, %1 of expert reads came from memory, %2 was read from disk, and %3 was spent waiting.</source>
        <translation>Since the model was opened, %1 of expert reads came from memory, %2 was read from disk, and %3 was spent waiting.</translation>
    </message>
    <message>
        <source>Since the model was opened, %1 of layer reads came from memory, %2 was read from disk, and %3 was spent waiting.</source>
        <translation>Since the model was opened, %1 of layer reads came from memory, %2 was read from disk, and %3 was spent waiting.</translation>
    </message>
    <message numerus="yes">
        <source>There is room for all %Ln expert(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</source>
        <translation><numerusform>There is room for its %Ln expert, and %1 is in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform><numerusform>There is room for all %Ln experts, and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>There is room for all %Ln layer(s), and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</source>
        <translation><numerusform>There is room for its %Ln layer, and %1 is in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform><numerusform>There is room for all %Ln layers, and %1 are in memory so far. The others are read from disk when they are used or while the model is idle.</numerusform></translation>
    </message>
    <message>
        <source>Waiting for the disk</source>
        <translation>Waiting for the disk</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>idle</translation>
    </message>
</context>
<context>
    <name>ExpertsView</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Colour the text by</source>
        <translation>Colour the text by</translation>
    </message>
    <message>
        <source>Compare the answer with</source>
        <translation>Compare the answer with</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Compare with</translation>
    </message>
    <message>
        <source>Keep for comparison</source>
        <translation>Keep for comparison</translation>
    </message>
    <message>
        <source>Kept for comparison</source>
        <translation>Kept for comparison</translation>
    </message>
    <message>
        <source>Most often: %1</source>
        <translation>Most often: %1</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Now</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Places</translation>
    </message>
    <message>
        <source>Select no expert</source>
        <translation>Select no expert</translation>
    </message>
    <message>
        <source>Select no layer</source>
        <translation>Select no layer</translation>
    </message>
    <message>
        <source>The words can show in colour how sure the model was, or how long each took.</source>
        <translation>The words can show in colour how sure the model was, or how long each took.</translation>
    </message>
    <message>
        <source>This answer can now be compared with others</source>
        <translation>This answer can now be compared with others</translation>
    </message>
    <message>
        <source>What the grid shows</source>
        <translation>What the grid shows</translation>
    </message>
</context>
<context>
    <name>ExportMenu</name>
    <message>
        <source>A line for each expert of each token</source>
        <translation>A line for each expert of each token</translation>
    </message>
    <message>
        <source>A line for each layer of each token</source>
        <translation>A line for each layer of each token</translation>
    </message>
    <message>
        <source>Copy a summary as text</source>
        <translation>Copy a summary as text</translation>
    </message>
    <message>
        <source>In the colours that they have now</source>
        <translation>In the colours that they have now</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Nothing was saved: another answer is shown now.</source>
        <translation>Nothing was saved: another answer is shown now.</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Pictures (*.png)</translation>
    </message>
    <message>
        <source>Save figures and charts as a picture</source>
        <translation>Save figures and charts as a picture</translation>
    </message>
    <message>
        <source>Save figures and charts as a picture&#8230;</source>
        <translation>Save figures and charts as a picture&#8230;</translation>
    </message>
    <message>
        <source>Save or copy</source>
        <translation>Save or copy</translation>
    </message>
    <message>
        <source>Save the grid as a picture</source>
        <translation>Save the grid as a picture</translation>
    </message>
    <message>
        <source>Save the grid as a picture&#8230;</source>
        <translation>Save the grid as a picture&#8230;</translation>
    </message>
    <message>
        <source>Save the record as CSV</source>
        <translation>Save the record as CSV</translation>
    </message>
    <message>
        <source>Save the record as CSV&#8230;</source>
        <translation>Save the record as CSV&#8230;</translation>
    </message>
    <message>
        <source>Save the record as JSON</source>
        <translation>Save the record as JSON</translation>
    </message>
    <message>
        <source>Save the record as JSON&#8230;</source>
        <translation>Save the record as JSON&#8230;</translation>
    </message>
    <message>
        <source>Save the tokens as a picture</source>
        <translation>Save the tokens as a picture</translation>
    </message>
    <message>
        <source>Save the tokens as a picture&#8230;</source>
        <translation>Save the tokens as a picture&#8230;</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Saved: %1</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tables (*.csv)</translation>
    </message>
    <message>
        <source>The summary was copied.</source>
        <translation>The summary was copied.</translation>
    </message>
</context>
<context>
    <name>ExportNotice</name>
    <message>
        <source>%1 It is in %2.</source>
        <comment>the result of an export, its file</comment>
        <translation>%1 It is in %2.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Close</translation>
    </message>
</context>
<context>
    <name>FigureRows</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>FileChip</name>
    <message>
        <source>%1, %2</source>
        <comment>a file's name and its size</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Hide the text of the file</source>
        <translation>Hide the text of the file</translation>
    </message>
    <message>
        <source>Show the text of the file</source>
        <translation>Show the text of the file</translation>
    </message>
    <message>
        <source>Take out %1</source>
        <comment>a file</comment>
        <translation>Take out %1</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close the search (Esc)</source>
        <translation>Close the search (Esc)</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>Find in this chat</translation>
    </message>
    <message>
        <source>Find the next place (F3)</source>
        <translation>Find the next place (F3)</translation>
    </message>
    <message>
        <source>Find the place before (Shift+F3)</source>
        <translation>Find the place before (Shift+F3)</translation>
    </message>
    <message>
        <source>Words to find in this chat</source>
        <translation>Words to find in this chat</translation>
    </message>
</context>
<context>
    <name>FirstLook</name>
    <message>
        <source>Back</source>
        <translation>Back</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Done</translation>
    </message>
    <message>
        <source>Each cell is a layer of the model. Every token, a word or a piece of one, passes through all of them.</source>
        <translation>Each cell is a layer of the model. Every token, a word or a piece of one, passes through all of them.</translation>
    </message>
    <message>
        <source>Each cell is an expert, a small network. For every token the model chooses a few per row: the coloured ones.</source>
        <translation>Each cell is an expert, a small network. For every token the model chooses a few per row: the coloured ones.</translation>
    </message>
    <message>
        <source>Each row is a layer of the model. Every token, a word or a piece of one, passes through all rows, from first to last.</source>
        <translation>Each row is a layer of the model. Every token, a word or a piece of one, passes through all rows, from first to last.</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Let the model tell a short story</source>
        <translation>Let the model tell a short story</translation>
    </message>
    <message>
        <source>Move this slider or press play to go through the answer. A layer has a colour only if it waited for the disk: the longer it waited, the stronger.</source>
        <translation>Move this slider or press play to go through the answer. A layer has a colour only if it waited for the disk: the longer it waited, the stronger.</translation>
    </message>
    <message>
        <source>Move this slider or press play: each token takes another route.</source>
        <translation>Move this slider or press play: each token takes another route.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Next</translation>
    </message>
    <message>
        <source>Open the demo model</source>
        <translation>Open the demo model</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Step %1 of %2</translation>
    </message>
    <message>
        <source>Tell me a short story about a fox.</source>
        <translation>Tell me a short story about a fox.</translation>
    </message>
    <message>
        <source>The first look goes on with the first word of this answer.</source>
        <translation>The first look goes on with the first word of this answer.</translation>
    </message>
    <message>
        <source>The first look needs an answer to explain.</source>
        <translation>The first look needs an answer to explain.</translation>
    </message>
    <message>
        <source>This is the whole answer. Stronger colour: more tokens used the expert. Select a cell to see which words it worked on.</source>
        <translation>This is the whole answer. Stronger colour: more tokens used the expert. Select a cell to see which words it worked on.</translation>
    </message>
    <message>
        <source>This shows where experts are now. One on disk is read when a token needs it.</source>
        <translation>This shows where experts are now. One on disk is read when a token needs it.</translation>
    </message>
    <message>
        <source>This shows where layers are now. One on disk is read when a token needs it.</source>
        <translation>This shows where layers are now. One on disk is read when a token needs it.</translation>
    </message>
    <message>
        <source>What the answer cost. Each question mark explains its figure.</source>
        <translation>What the answer cost. Each question mark explains its figure.</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Open a model, then talk to it</source>
        <translation>Open a model, then talk to it</translation>
    </message>
</context>
<context>
    <name>FoldButton</name>
    <message numerus="yes">
        <source>Show all %Ln line(s)</source>
        <translation><numerusform>Show %Ln line</numerusform><numerusform>Show all %Ln lines</numerusform></translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Show less</translation>
    </message>
</context>
<context>
    <name>FolderMenu</name>
    <message>
        <source>Move to folder</source>
        <translation>Move to folder</translation>
    </message>
    <message>
        <source>New folder&#8230;</source>
        <translation>New folder&#8230;</translation>
    </message>
    <message>
        <source>No folder</source>
        <translation>No folder</translation>
    </message>
</context>
<context>
    <name>ForecastCard</name>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in %2 (chosen automatically)</source>
        <translation>%1 in %2 (chosen automatically)</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s)</source>
        <translation><numerusform>%1 of %Ln expert</numerusform><numerusform>%1 of %Ln experts</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s)</source>
        <translation><numerusform>%1 of %Ln layer</numerusform><numerusform>%1 of %Ln layers</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s) need no more memory for a longer chat.</source>
        <translation><numerusform>%1 of %Ln layer needs no more memory for a longer chat.</numerusform><numerusform>%1 of %Ln layers need no more memory for a longer chat.</numerusform></translation>
    </message>
    <message>
        <source>All experts stay in memory: nothing is read from disk while the model answers.</source>
        <translation>All experts stay in memory: nothing is read from disk while the model answers.</translation>
    </message>
    <message>
        <source>Allow %1</source>
        <translation>Allow %1</translation>
    </message>
    <message>
        <source>Available when the answer is complete</source>
        <translation>Available when the answer is complete</translation>
    </message>
    <message>
        <source>Coterie itself</source>
        <translation>Coterie itself</translation>
    </message>
    <message numerus="yes">
        <source>KV cache for %Ln token(s)</source>
        <translation><numerusform>KV cache for %Ln token</numerusform><numerusform>KV cache for %Ln tokens</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>KV cache for %Ln token(s), and states</source>
        <translation><numerusform>KV cache for %Ln token, and states</numerusform><numerusform>KV cache for %Ln tokens, and states</numerusform></translation>
    </message>
    <message>
        <source>Looking at the model&#8230;</source>
        <translation>Looking at the model&#8230;</translation>
    </message>
    <message numerus="yes">
        <source>One token uses %Ln expert(s), and fewer than that stay in memory. Each token waits for the disk, so answers will be slow.</source>
        <translation><numerusform>One token uses %Ln expert, and it does not stay in memory. Each token waits for the disk, so answers will be slow.</numerusform><numerusform>One token uses %Ln experts, and fewer than that stay in memory. Each token waits for the disk, so answers will be slow.</numerusform></translation>
    </message>
    <message>
        <source>Open again with these settings</source>
        <translation>Open again with these settings</translation>
    </message>
    <message>
        <source>Other programs leave %1 free now, so they would have to release memory.</source>
        <translation>Other programs leave %1 free now, so they would have to release memory.</translation>
    </message>
    <message>
        <source>That is more than this machine has (%1), so it would become very slow.</source>
        <translation>That is more than this machine has (%1), so it would become very slow.</translation>
    </message>
    <message>
        <source>The budget is too small: %1 needs at least %2</source>
        <translation>The budget is too small: %1 needs at least %2</translation>
    </message>
    <message>
        <source>The figures below are for the smallest budget that works. A shorter context needs less memory.</source>
        <translation>The figures below are for the smallest budget that works. A shorter context needs less memory.</translation>
    </message>
    <message>
        <source>The whole model stays in memory: nothing is read from disk while it answers.</source>
        <translation>The whole model stays in memory: nothing is read from disk while it answers.</translation>
    </message>
    <message numerus="yes">
        <source>There is room for %1 of its %Ln layer(s). The others are read from disk for each token, so answers will be slow.</source>
        <translation><numerusform>There is room for %1 of its %Ln layer. The others are read from disk for each token, so answers will be slow.</numerusform><numerusform>There is room for %1 of its %Ln layers. The others are read from disk for each token, so answers will be slow.</numerusform></translation>
    </message>
    <message>
        <source>There is room for %1 times the experts that one token uses. The others are read from disk when they are used.</source>
        <translation>There is room for %1 times the experts that one token uses. The others are read from disk when they are used.</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Unused</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Weights</translation>
    </message>
    <message>
        <source>When a model is open, this shows how much memory it would use.</source>
        <translation>When a model is open, this shows how much memory it would use.</translation>
    </message>
</context>
<context>
    <name>GridLegend</name>
    <message>
        <source>Bar beside a layer: it keeps a state, not keys and values</source>
        <translation>Bar beside a layer: it keeps a state, not keys and values</translation>
    </message>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>Colours from %1 to %2</translation>
    </message>
    <message>
        <source>Colours: on disk, arriving, in memory</source>
        <translation>Colours: on disk, arriving, in memory</translation>
    </message>
    <message>
        <source>Colours: on disk, arriving, in memory, in the GPU's memory</source>
        <translation>Colours: on disk, arriving, in memory, in the GPU's memory</translation>
    </message>
    <message>
        <source>Corner: not read until needed. Outline: used just now</source>
        <translation>Corner: not read until needed. Outline: used just now</translation>
    </message>
    <message>
        <source>Corner: the expert was not read until it was needed</source>
        <translation>Corner: the expert was not read until it was needed</translation>
    </message>
    <message>
        <source>Corner: the layer was not read until it was needed</source>
        <translation>Corner: the layer was not read until it was needed</translation>
    </message>
    <message>
        <source>No layer waited for this token</source>
        <translation>No layer waited for this token</translation>
    </message>
    <message>
        <source>Not drawn: the shared or dense part of a layer, which every token uses</source>
        <translation>Not drawn: the shared or dense part of a layer, which every token uses</translation>
    </message>
    <message>
        <source>Outline: used just now</source>
        <translation>Outline: used just now</translation>
    </message>
    <message>
        <source>Points: of 100 uses of experts in the layer</source>
        <translation>Points: of 100 uses of experts in the layer</translation>
    </message>
    <message>
        <source>Stronger colour: more tokens used it</source>
        <translation>Stronger colour: more tokens used it</translation>
    </message>
    <message>
        <source>Stronger colour: the layer waited longer</source>
        <translation>Stronger colour: the layer waited longer</translation>
    </message>
    <message>
        <source>arriving</source>
        <translation>arriving</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>in memory</translation>
    </message>
    <message>
        <source>in the GPU's memory</source>
        <translation>in the GPU's memory</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>on disk</translation>
    </message>
</context>
<context>
    <name>IconButton</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>%1 in the prompt</source>
        <translation>%1 in the prompt</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 of %2 tokens</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln expert(s) are in memory now.</source>
        <translation><numerusform>%1 of %Ln expert is in memory now.</numerusform><numerusform>%1 of %Ln experts are in memory now.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln layer(s) are in memory now.</source>
        <translation><numerusform>%1 of %Ln layer is in memory now.</numerusform><numerusform>%1 of %Ln layers are in memory now.</numerusform></translation>
    </message>
    <message>
        <source>%1 of all experts were used at least once; by chance it would be %2.</source>
        <translation>%1 of all experts were used at least once; by chance it would be %2.</translation>
    </message>
    <message>
        <source>%1 of expert reads came from memory; %2 came from disk and cost %3 of waiting.</source>
        <translation>%1 of expert reads came from memory; %2 came from disk and cost %3 of waiting.</translation>
    </message>
    <message>
        <source>%1 of expert reads came from memory; the others came from disk and cost %2 of waiting.</source>
        <translation>%1 of expert reads came from memory; the others came from disk and cost %2 of waiting.</translation>
    </message>
    <message>
        <source>%1 of layer reads came from memory; %2 came from disk and cost %3 of waiting.</source>
        <translation>%1 of layer reads came from memory; %2 came from disk and cost %3 of waiting.</translation>
    </message>
    <message>
        <source>%1 of layer reads came from memory; the others came from disk and cost %2 of waiting.</source>
        <translation>%1 of layer reads came from memory; the others came from disk and cost %2 of waiting.</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message numerus="yes">
        <source>%1, in %2 of the latest %Ln answer(s) of this chat.</source>
        <translation><numerusform>%1, in %2 of the latest %Ln answer of this chat.</numerusform><numerusform>%1, in %2 of the latest %Ln answers of this chat.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1, in %2 of this chat's %Ln answer(s).</source>
        <translation><numerusform>%1, in %2 of this chat's %Ln answer.</numerusform><numerusform>%1, in %2 of this chat's %Ln answers.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1, in this chat's %Ln answer(s).</source>
        <translation><numerusform>%1, in this chat's only answer.</numerusform><numerusform>%1, in this chat's %Ln answers.</numerusform></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message numerus="yes">
        <source>%Ln expert(s)</source>
        <translation><numerusform>%Ln expert</numerusform><numerusform>%Ln experts</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln neuron(s)</source>
        <translation><numerusform>%Ln neuron</numerusform><numerusform>%Ln neurons</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) of the prompt were not read again: the model still had them in memory.</source>
        <translation><numerusform>%Ln token of the prompt was not read again: the model still had it in memory.</numerusform><numerusform>%Ln tokens of the prompt were not read again: the model still had them in memory.</numerusform></translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>A bar for each layer. If it is low, the layer uses all of its experts about equally often. If it is high, a few experts do most of the layer's work.</source>
        <translation>A bar for each layer. If it is low, the layer uses all of its experts about equally often. If it is high, a few experts do most of the layer's work.</translation>
    </message>
    <message>
        <source>A bar for each layer: from how many experts it seems to choose. A layer that uses all of its experts equally often has as many as it really has. One that takes the same two for nearly every token has about two.</source>
        <translation>A bar for each layer: from how many experts it seems to choose. A layer that uses all of its experts equally often has as many as it really has. One that takes the same two for nearly every token has about two.</translation>
    </message>
    <message>
        <source>A box for each layer. The higher it stands, the more neurons were at work. Half of the tokens lie inside of the box and half outside: the thin line goes down to the token with the fewest active neurons and up to the one with the most. The mark inside of the box is the median: as many tokens lie above it as below.</source>
        <translation>A box for each layer. The higher it stands, the more neurons were at work. Half of the tokens lie inside of the box and half outside: the thin line goes down to the token with the fewest active neurons and up to the one with the most. The mark inside of the box is the median: as many tokens lie above it as below.</translation>
    </message>
    <message>
        <source>A layer chooses as if it had %1 experts and used them alike, on average; layer %2 has the fewest, %3. The logarithm of this number is called entropy.</source>
        <translation>A layer chooses as if it had %1 experts and used them alike, on average; layer %2 has the fewest, %3. The logarithm of this number is called entropy.</translation>
    </message>
    <message>
        <source>About %1 at work</source>
        <translation>About %1 at work</translation>
    </message>
    <message>
        <source>Active neurons</source>
        <translation>Active neurons</translation>
    </message>
    <message>
        <source>Active neurons, with the median marked</source>
        <translation>Active neurons, with the median marked</translation>
    </message>
    <message>
        <source>Both runs in the same colours. The strongest colour: %1 of the tokens used the expert.</source>
        <translation>Both runs in the same colours. The strongest colour: %1 of the tokens used the expert.</translation>
    </message>
    <message>
        <source>Bytes read from disk divided by the time of the whole answer. The disk rests while nothing is missing, so its own rate can be higher.</source>
        <translation>Bytes read from disk divided by the time of the whole answer. The disk rests while nothing is missing, so its own rate can be higher.</translation>
    </message>
    <message>
        <source>Bytes that were read from the model's file for the prompt and this answer.</source>
        <translation>Bytes that were read from the model's file for the prompt and this answer.</translation>
    </message>
    <message>
        <source>Compared with %1, no expert was used more or less.</source>
        <translation>Compared with %1, no expert was used more or less.</translation>
    </message>
    <message>
        <source>Compared with %1, these differ most: %2.</source>
        <translation>Compared with %1, these differ most: %2.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Corner: not read until it was needed</source>
        <translation>Corner: not read until it was needed</translation>
    </message>
    <message>
        <source>Different experts used</source>
        <translation>Different experts used</translation>
    </message>
    <message>
        <source>Disk rate</source>
        <translation>Disk rate</translation>
    </message>
    <message>
        <source>Doubt</source>
        <translation>Doubt</translation>
    </message>
    <message>
        <source>Every expert was in memory when a token needed it.</source>
        <translation>Every expert was in memory when a token needed it.</translation>
    </message>
    <message>
        <source>Every expert was in memory, or already being read, when a token needed it.</source>
        <translation>Every expert was in memory, or already being read, when a token needed it.</translation>
    </message>
    <message>
        <source>Every layer was in memory when a token needed it.</source>
        <translation>Every layer was in memory when a token needed it.</translation>
    </message>
    <message>
        <source>Every token uses all layers, and none waited for the disk.</source>
        <translation>Every token uses all layers, and none waited for the disk.</translation>
    </message>
    <message>
        <source>Every token uses all layers. Stronger colour: the layer waited longer for the disk.</source>
        <translation>Every token uses all layers. Stronger colour: the layer waited longer for the disk.</translation>
    </message>
    <message>
        <source>Every token uses all layers. Stronger colour: the layer waited longer for the disk. The tokens of a chunk share the waiting.</source>
        <translation>Every token uses all layers. Stronger colour: the layer waited longer for the disk. The tokens of a chunk share the waiting.</translation>
    </message>
    <message>
        <source>Expert reads from memory</source>
        <translation>Expert reads from memory</translation>
    </message>
    <message>
        <source>Experts not read in time</source>
        <translation>Experts not read in time</translation>
    </message>
    <message>
        <source>Experts used so far</source>
        <translation>Experts used so far</translation>
    </message>
    <message>
        <source>Experts, counted as if used alike</source>
        <translation>Experts, counted as if used alike</translation>
    </message>
    <message>
        <source>For half of the tokens, at least %1 of the neurons of the experts that ran were active, on average over the layers.</source>
        <translation>For half of the tokens, at least %1 of the neurons of the experts that ran were active, on average over the layers.</translation>
    </message>
    <message>
        <source>From left to right the answer grows, token by token; a token is a word or a piece of one. The full line shows which share of all experts was used at least once by then. The dashed line shows what chance would use. Where the full line stays far below it, the model comes back to the same experts, and little memory is enough for them.</source>
        <translation>From left to right the answer grows, token by token; a token is a word or a piece of one. The full line shows which share of all experts was used at least once by then. The dashed line shows what chance would use. Where the full line stays far below it, the model comes back to the same experts, and little memory is enough for them.</translation>
    </message>
    <message>
        <source>From memory</source>
        <translation>From memory</translation>
    </message>
    <message>
        <source>Hardly</source>
        <translation>Hardly</translation>
    </message>
    <message>
        <source>Head rows</source>
        <translation>Head rows</translation>
    </message>
    <message numerus="yes">
        <source>How many of %1 of this answer's %Ln token(s) used each expert. The model did not read the last one.</source>
        <translation><numerusform>How many of %1 of this answer's %Ln token used each expert. The model did not read the last one.</numerusform><numerusform>How many of %1 of this answer's %Ln tokens used each expert. The model did not read the last one.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of %1 of this answer's %Ln token(s) used each layer. The model did not read the last one.</source>
        <translation><numerusform>How many of %1 of this answer's %Ln token used each layer. The model did not read the last one.</numerusform><numerusform>How many of %1 of this answer's %Ln tokens used each layer. The model did not read the last one.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of %Ln token(s) used each expert</source>
        <translation><numerusform>How many of %Ln token used each expert</numerusform><numerusform>How many of %Ln tokens used each expert</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of %Ln token(s) used each layer</source>
        <translation><numerusform>How many of %Ln token used each layer</numerusform><numerusform>How many of %Ln tokens used each layer</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of this answer's %Ln token(s) used each expert.</source>
        <translation><numerusform>How many of this answer's %Ln token used each expert.</numerusform><numerusform>How many of this answer's %Ln tokens used each expert.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>How many of this answer's %Ln token(s) used each layer.</source>
        <translation><numerusform>How many of this answer's %Ln token used each layer.</numerusform><numerusform>How many of this answer's %Ln tokens used each layer.</numerusform></translation>
    </message>
    <message>
        <source>If experts were chosen at random</source>
        <translation>If experts were chosen at random</translation>
    </message>
    <message numerus="yes">
        <source>Layer %1: experts %2 and %3 work together for %Ln token(s), %4 times as often as by chance.</source>
        <translation><numerusform>Layer %1: experts %2 and %3 work together for %Ln token, %4 times as often as by chance.</numerusform><numerusform>Layer %1: experts %2 and %3 work together for %Ln tokens, %4 times as often as by chance.</numerusform></translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>Memory budget</translation>
    </message>
    <message>
        <source>Memory that the open model and Coterie may use together. What does not fit into it stays on disk until a token needs it.</source>
        <translation>Memory that the open model and Coterie may use together. What does not fit into it stays on disk until a token needs it.</translation>
    </message>
    <message>
        <source>More memory would hardly help: in a replay that begins with nothing in memory, %1 of the expert reads come from memory with %2, and %3 if every expert had room.</source>
        <translation>More memory would hardly help: in a replay that begins with nothing in memory, %1 of the expert reads come from memory with %2, and %3 if every expert had room.</translation>
    </message>
    <message>
        <source>More memory would help, but this machine does not have enough of it.</source>
        <translation>More memory would help, but this machine does not have enough of it.</translation>
    </message>
    <message>
        <source>More memory would not help: every expert of the model has room. The chart's replays begin with nothing in memory.</source>
        <translation>More memory would not help: every expert of the model has room. The chart's replays begin with nothing in memory.</translation>
    </message>
    <message>
        <source>No</source>
        <translation>No</translation>
    </message>
    <message>
        <source>No token waited for the disk.</source>
        <translation>No token waited for the disk.</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>Nothing was computed for this token: the answer ended here.</source>
        <translation>Nothing was computed for this token: the answer ended here.</translation>
    </message>
    <message>
        <source>Open its model to see</source>
        <translation>Open its model to see</translation>
    </message>
    <message>
        <source>Open the model that wrote this answer to see which budget would help.</source>
        <translation>Open the model that wrote this answer to see which budget would help.</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Probability</translation>
    </message>
    <message>
        <source>Read from disk</source>
        <translation>Read from disk</translation>
    </message>
    <message>
        <source>Share of the experts that were in memory already, also called the hit rate, for the prompt and the answer. An expert that was read from disk for its token does not count, even if that began ahead of time.</source>
        <translation>Share of the experts that were in memory already, also called the hit rate, for the prompt and the answer. An expert that was read from disk for its token does not count, even if that began ahead of time.</translation>
    </message>
    <message>
        <source>Share of the layers that were in memory already, for the prompt and the answer. A layer that was read from disk for its token does not count, even if that began ahead of time.</source>
        <translation>Share of the layers that were in memory already, for the prompt and the answer. A layer that was read from disk for its token does not count, even if that began ahead of time.</translation>
    </message>
    <message>
        <source>Share of the neurons that were above zero in the experts that ran for the answer. The others are left out, so less is read and computed.</source>
        <translation>Share of the neurons that were above zero in the experts that ran for the answer. The others are left out, so less is read and computed.</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Speed</translation>
    </message>
    <message>
        <source>The answer ended before the model read its last token: charts and counts are without it.</source>
        <translation>The answer ended before the model read its last token: charts and counts are without it.</translation>
    </message>
    <message>
        <source>The experts of this model have no neurons that rest.</source>
        <translation>The experts of this model have no neurons that rest.</translation>
    </message>
    <message>
        <source>The most that is possible</source>
        <translation>The most that is possible</translation>
    </message>
    <message>
        <source>The output head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed.</source>
        <translation>The output head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed.</translation>
    </message>
    <message>
        <source>The prompt and the answer, computed again with other room in memory for experts, which is empty at first: the farther to the right, the more room. The full line shows how many of the experts that tokens needed would be in memory. No choice of experts to keep could do better than the dashed line. A vertical line marks the room that the open model has now.</source>
        <translation>The prompt and the answer, computed again with other room in memory for experts, which is empty at first: the farther to the right, the more room. The full line shows how many of the experts that tokens needed would be in memory. No choice of experts to keep could do better than the dashed line. A vertical line marks the room that the open model has now.</translation>
    </message>
    <message>
        <source>The prompt was read in chunks. The tokens of a chunk share its time and its waiting evenly.</source>
        <translation>The prompt was read in chunks. The tokens of a chunk share its time and its waiting evenly.</translation>
    </message>
    <message>
        <source>The record begins at token %1: the ones before it were too many to keep.</source>
        <translation>The record begins at token %1: the ones before it were too many to keep.</translation>
    </message>
    <message numerus="yes">
        <source>The record has %1 of this answer's %Ln token(s), because the answer was continued without the tokens that it had, or without a record.</source>
        <translation><numerusform>The record has %1 of this answer's %Ln token, because the answer was continued without the tokens that it had, or without a record.</numerusform><numerusform>The record has %1 of this answer's %Ln tokens, because the answer was continued without the tokens that it had, or without a record.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The route of %1: %2 to %Ln expert(s) in each layer. Stronger colour means more weight.</source>
        <translation><numerusform>The route of %1: %2 to %Ln expert in each layer. Stronger colour means more weight.</numerusform><numerusform>The route of %1: %2 to %Ln experts in each layer. Stronger colour means more weight.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The route of %1: %2 to %Ln expert(s) in each layer. The tokens of its chunk share the waiting.</source>
        <translation><numerusform>The route of %1: %2 to %Ln expert in each layer. The tokens of its chunk share the waiting.</numerusform><numerusform>The route of %1: %2 to %Ln experts in each layer. The tokens of its chunk share the waiting.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The route of %1: %Ln expert(s) in each layer. Stronger colour means more weight.</source>
        <translation><numerusform>The route of %1: %Ln expert in each layer. Stronger colour means more weight.</numerusform><numerusform>The route of %1: %Ln experts in each layer. Stronger colour means more weight.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The route of %1: %Ln expert(s) in each layer. The tokens of its chunk share the waiting.</source>
        <translation><numerusform>The route of %1: %Ln expert in each layer. The tokens of its chunk share the waiting.</numerusform><numerusform>The route of %1: %Ln experts in each layer. The tokens of its chunk share the waiting.</numerusform></translation>
    </message>
    <message>
        <source>The route of the newest token. Stronger colour means more weight.</source>
        <translation>The route of the newest token. Stronger colour means more weight.</translation>
    </message>
    <message>
        <source>The route of this token was not kept: the answer is too long.</source>
        <translation>The route of this token was not kept: the answer is too long.</translation>
    </message>
    <message>
        <source>The stronger the colour, the less probable was the word.</source>
        <translation>The stronger the colour, the less probable was the word.</translation>
    </message>
    <message>
        <source>The stronger the colour, the less sure the model was: at most as between %1 equally good words (entropy).</source>
        <translation>The stronger the colour, the less sure the model was: at most as between %1 equally good words (entropy).</translation>
    </message>
    <message>
        <source>The stronger the colour, the longer the token took; the strongest is %1.</source>
        <translation>The stronger the colour, the longer the token took; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the longer the token waited for the disk; the strongest is %1.</source>
        <translation>The stronger the colour, the longer the token waited for the disk; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the more experts were read only when needed; the strongest is %1.</source>
        <translation>The stronger the colour, the more experts were read only when needed; the strongest is %1.</translation>
    </message>
    <message>
        <source>The stronger the colour, the more neurons were active; the strongest is %1.</source>
        <translation>The stronger the colour, the more neurons were active; the strongest is %1.</translation>
    </message>
    <message>
        <source>This answer has no probabilities. Regenerate it while this is chosen to get them (a little slower).</source>
        <translation>This answer has no probabilities. Regenerate it while this is chosen to get them (a little slower).</translation>
    </message>
    <message>
        <source>This model has no experts. The grid shows its layers, which every token uses.</source>
        <translation>This model has no experts. The grid shows its layers, which every token uses.</translation>
    </message>
    <message>
        <source>This token of the prompt was not read again: the model still had it in memory.</source>
        <translation>This token of the prompt was not read again: the model still had it in memory.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Time</translation>
    </message>
    <message>
        <source>Token %1 of %2: %3, after %4</source>
        <translation>Token %1 of %2: %3, after %4</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2, not read again</source>
        <translation>Token %1 of the prompt's %2, not read again</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2, read after %3</source>
        <translation>Token %1 of the prompt's %2, read after %3</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2: %3, not read again</source>
        <translation>Token %1 of the prompt's %2: %3, not read again</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2: %3, not recorded</source>
        <translation>Token %1 of the prompt's %2: %3, not recorded</translation>
    </message>
    <message>
        <source>Token %1 of the prompt's %2: %3, read after %4</source>
        <translation>Token %1 of the prompt's %2: %3, read after %4</translation>
    </message>
    <message>
        <source>Tokens of this conversation that the model reads, and the most that it can.</source>
        <translation>Tokens of this conversation that the model reads, and the most that it can.</translation>
    </message>
    <message>
        <source>Tokens that were written in a second. A token is a word or a piece of one.</source>
        <translation>Tokens that were written in a second. A token is a word or a piece of one.</translation>
    </message>
    <message>
        <source>Unevenness</source>
        <translation>Unevenness</translation>
    </message>
    <message>
        <source>Unevenness %1 (0 to 1)</source>
        <translation>Unevenness %1 (0 to 1)</translation>
    </message>
    <message>
        <source>Unevenness %1 on average, from 0, all experts are used alike, to 1, one is used alone. Layer %2 is the most uneven, with %3. The technical name of this number is Gini index. Another measure, the entropy of use, is %4 of what it would be if all experts were used alike.</source>
        <translation>Unevenness %1 on average, from 0, all experts are used alike, to 1, one is used alone. Layer %2 is the most uneven, with %3. The technical name of this number is Gini index. Another measure, the entropy of use, is %4 of what it would be if all experts were used alike.</translation>
    </message>
    <message>
        <source>Waiting for the disk</source>
        <translation>Waiting for the disk</translation>
    </message>
    <message>
        <source>With %1 in place of %2, %3 of the expert reads would come from memory in place of %4, in a replay that begins with nothing in memory.</source>
        <translation>With %1 in place of %2, %3 of the expert reads would come from memory in place of %4, in a replay that begins with nothing in memory.</translation>
    </message>
    <message>
        <source>Yes, but none is left</source>
        <translation>Yes, but none is left</translation>
    </message>
    <message>
        <source>Yes, with %1</source>
        <translation>Yes, with %1</translation>
    </message>
    <message>
        <source>a choice of %1</source>
        <translation>a choice of %1</translation>
    </message>
    <message>
        <source>a line break</source>
        <translation>a line break</translation>
    </message>
    <message>
        <source>a space</source>
        <translation>a space</translation>
    </message>
    <message>
        <source>a token without text</source>
        <translation>a token without text</translation>
    </message>
    <message>
        <source>arriving</source>
        <translation>arriving</translation>
    </message>
    <message>
        <source>as kept now</source>
        <translation>as kept now</translation>
    </message>
    <message>
        <source>by chance</source>
        <translation>by chance</translation>
    </message>
    <message>
        <source>even</source>
        <translation>even</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>expert</translation>
    </message>
    <message>
        <source>expert %1 of layer %2 (%3)</source>
        <translation>expert %1 of layer %2 (%3)</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>in memory</translation>
    </message>
    <message>
        <source>in the GPU's memory</source>
        <translation>in the GPU's memory</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>layer %1</translation>
    </message>
    <message>
        <source>layer 0</source>
        <translation>layer 0</translation>
    </message>
    <message>
        <source>now</source>
        <translation>now</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>on disk</translation>
    </message>
    <message>
        <source>one expert</source>
        <translation>one expert</translation>
    </message>
    <message numerus="yes">
        <source>room for %Ln expert(s)</source>
        <translation><numerusform>room for %Ln expert</numerusform><numerusform>room for %Ln experts</numerusform></translation>
    </message>
    <message>
        <source>the model</source>
        <translation>the model</translation>
    </message>
    <message>
        <source>the most possible</source>
        <translation>the most possible</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>token %1 of the prompt</source>
        <translation>token %1 of the prompt</translation>
    </message>
    <message>
        <source>token 1</source>
        <translation>token 1</translation>
    </message>
    <message>
        <source>&#8220;%1&#8221;</source>
        <translation>&#8220;%1&#8221;</translation>
    </message>
</context>
<context>
    <name>LicenceRow</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>LicencesPage</name>
    <message>
        <source>Coterie is free software, and uses these works of others. Each opens with the text of its licence.</source>
        <translation>Coterie is free software, and uses these works of others. Each opens with the text of its licence.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Licences</translation>
    </message>
</context>
<context>
    <name>LinkOffer</name>
    <message>
        <source>Copy address</source>
        <translation>Copy address</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Link</translation>
    </message>
</context>
<context>
    <name>ListMenu</name>
    <message>
        <source>Order of the list</source>
        <translation>Order of the list</translation>
    </message>
    <message>
        <source>Sort by creation</source>
        <translation>Sort by creation</translation>
    </message>
    <message>
        <source>Sort by last use</source>
        <translation>Sort by last use</translation>
    </message>
    <message>
        <source>Sort by title</source>
        <translation>Sort by title</translation>
    </message>
</context>
<context>
    <name>LossyGroup</name>
    <message>
        <source>"When low" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.</source>
        <translation>"When low" means that the battery is at 20 % or less and is not being charged, or that other programs need memory while the memory budget is automatic.</translation>
    </message>
    <message>
        <source>All experts of the open model fit into memory, so this changes hardly anything now.</source>
        <translation>All experts of the open model fit into memory, so this changes hardly anything now.</translation>
    </message>
    <message>
        <source>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</source>
        <translation>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</translation>
    </message>
    <message>
        <source>Faster, less exact (applies from the next answer)</source>
        <translation>Faster, less exact (applies from the next answer)</translation>
    </message>
    <message>
        <source>In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.</source>
        <translation>In a measurement with the demo model and room for nearly half of its experts, the first option at 20 % and the second at 90 % each saved over a third of the data read from disk, and 99 of 100 tokens stayed the same. Other models may change more.</translation>
    </message>
    <message>
        <source>Leave out the least important experts</source>
        <translation>Leave out the least important experts</translation>
    </message>
    <message>
        <source>Prefer experts that are in memory</source>
        <translation>Prefer experts that are in memory</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Strength</translation>
    </message>
    <message>
        <source>The least important experts of a token often have little weight. Without them, there is less to read and compute.</source>
        <translation>The least important experts of a token often have little weight. Without them, there is less to read and compute.</translation>
    </message>
    <message>
        <source>The open model has no experts, so these options have no effect on it.</source>
        <translation>The open model has no experts, so these options have no effect on it.</translation>
    </message>
    <message>
        <source>Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.</source>
        <translation>Use these options when memory or power is low. They change answers: each changed answer has a note below it. What you write is always read exactly.</translation>
    </message>
    <message>
        <source>Weight to keep</source>
        <translation>Weight to keep</translation>
    </message>
</context>
<context>
    <name>LossyWay</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, in percent</source>
        <translation>%1, in percent</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Always</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Never</translation>
    </message>
    <message>
        <source>When low</source>
        <translation>When low</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>%1 - Coterie</source>
        <translation>%1 - Coterie</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Back</translation>
    </message>
    <message>
        <source>Back to the conversation</source>
        <translation>Back to the conversation</translation>
    </message>
    <message>
        <source>Coterie</source>
        <translation>Coterie</translation>
    </message>
    <message>
        <source>Temporary chat - Coterie</source>
        <translation>Temporary chat - Coterie</translation>
    </message>
</context>
<context>
    <name>Markdown</name>
    <message>
        <source>%1, %2</source>
        <comment>who wrote a message, and when</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Attached file: %1</source>
        <translation>Attached file: %1</translation>
    </message>
    <message>
        <source>Code that the model ran:</source>
        <translation>Code that the model ran:</translation>
    </message>
    <message>
        <source>Ended here. %1.</source>
        <translation>Ended here. %1.</translation>
    </message>
    <message>
        <source>Failed: %1.</source>
        <translation>Failed: %1.</translation>
    </message>
    <message>
        <source>Message %1, after message %2: %3</source>
        <translation>Message %1, after message %2: %3</translation>
    </message>
    <message>
        <source>Message %1: %2</source>
        <translation>Message %1: %2</translation>
    </message>
    <message>
        <source>Result:</source>
        <translation>Result:</translation>
    </message>
    <message>
        <source>Settings of this chat:</source>
        <translation>Settings of this chat:</translation>
    </message>
    <message>
        <source>Stopped here.</source>
        <translation>Stopped here.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System prompt</translation>
    </message>
    <message>
        <source>The model called %1:</source>
        <translation>The model called %1:</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Thought</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Tool</translation>
    </message>
    <message>
        <source>You</source>
        <translation>You</translation>
    </message>
</context>
<context>
    <name>MathSpeech</name>
    <message>
        <source>Weierstrass p</source>
        <translation>Weierstrass p</translation>
    </message>
    <message>
        <source>acute</source>
        <translation>acute</translation>
    </message>
    <message>
        <source>aleph</source>
        <translation>aleph</translation>
    </message>
    <message>
        <source>amalgamation</source>
        <translation>amalgamation</translation>
    </message>
    <message>
        <source>and</source>
        <translation>and</translation>
    </message>
    <message>
        <source>and so on</source>
        <translation>and so on</translation>
    </message>
    <message>
        <source>angle</source>
        <translation>angle</translation>
    </message>
    <message>
        <source>anticlockwise</source>
        <translation>anticlockwise</translation>
    </message>
    <message>
        <source>approaches</source>
        <translation>approaches</translation>
    </message>
    <message>
        <source>arc cosine</source>
        <translation>arc cosine</translation>
    </message>
    <message>
        <source>arc sine</source>
        <translation>arc sine</translation>
    </message>
    <message>
        <source>arc tangent</source>
        <translation>arc tangent</translation>
    </message>
    <message>
        <source>argument</source>
        <translation>argument</translation>
    </message>
    <message>
        <source>arrow above</source>
        <translation>arrow above</translation>
    </message>
    <message>
        <source>as</source>
        <translation>as</translation>
    </message>
    <message>
        <source>asterisk</source>
        <translation>asterisk</translation>
    </message>
    <message>
        <source>at</source>
        <translation>at</translation>
    </message>
    <message>
        <source>back prime</source>
        <translation>back prime</translation>
    </message>
    <message>
        <source>backslash</source>
        <translation>backslash</translation>
    </message>
    <message>
        <source>bar</source>
        <translation>bar</translation>
    </message>
    <message>
        <source>because</source>
        <translation>because</translation>
    </message>
    <message>
        <source>beth</source>
        <translation>beth</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>bottom</translation>
    </message>
    <message>
        <source>box</source>
        <translation>box</translation>
    </message>
    <message>
        <source>boxed plus</source>
        <translation>boxed plus</translation>
    </message>
    <message>
        <source>boxed times</source>
        <translation>boxed times</translation>
    </message>
    <message>
        <source>bracket above</source>
        <translation>bracket above</translation>
    </message>
    <message>
        <source>bracket below</source>
        <translation>bracket below</translation>
    </message>
    <message>
        <source>breve</source>
        <translation>breve</translation>
    </message>
    <message>
        <source>bullet</source>
        <translation>bullet</translation>
    </message>
    <message>
        <source>capital alpha</source>
        <translation>capital alpha</translation>
    </message>
    <message>
        <source>capital beta</source>
        <translation>capital beta</translation>
    </message>
    <message>
        <source>capital chi</source>
        <translation>capital chi</translation>
    </message>
    <message>
        <source>capital delta</source>
        <translation>capital delta</translation>
    </message>
    <message>
        <source>capital epsilon</source>
        <translation>capital epsilon</translation>
    </message>
    <message>
        <source>capital eta</source>
        <translation>capital eta</translation>
    </message>
    <message>
        <source>capital gamma</source>
        <translation>capital gamma</translation>
    </message>
    <message>
        <source>capital iota</source>
        <translation>capital iota</translation>
    </message>
    <message>
        <source>capital kappa</source>
        <translation>capital kappa</translation>
    </message>
    <message>
        <source>capital lambda</source>
        <translation>capital lambda</translation>
    </message>
    <message>
        <source>capital mu</source>
        <translation>capital mu</translation>
    </message>
    <message>
        <source>capital nu</source>
        <translation>capital nu</translation>
    </message>
    <message>
        <source>capital omega</source>
        <translation>capital omega</translation>
    </message>
    <message>
        <source>capital omicron</source>
        <translation>capital omicron</translation>
    </message>
    <message>
        <source>capital phi</source>
        <translation>capital phi</translation>
    </message>
    <message>
        <source>capital pi</source>
        <translation>capital pi</translation>
    </message>
    <message>
        <source>capital psi</source>
        <translation>capital psi</translation>
    </message>
    <message>
        <source>capital rho</source>
        <translation>capital rho</translation>
    </message>
    <message>
        <source>capital sigma</source>
        <translation>capital sigma</translation>
    </message>
    <message>
        <source>capital tau</source>
        <translation>capital tau</translation>
    </message>
    <message>
        <source>capital theta</source>
        <translation>capital theta</translation>
    </message>
    <message>
        <source>capital upsilon</source>
        <translation>capital upsilon</translation>
    </message>
    <message>
        <source>capital xi</source>
        <translation>capital xi</translation>
    </message>
    <message>
        <source>capital zeta</source>
        <translation>capital zeta</translation>
    </message>
    <message>
        <source>ceiling of</source>
        <translation>ceiling of</translation>
    </message>
    <message>
        <source>check</source>
        <translation>check</translation>
    </message>
    <message>
        <source>check mark</source>
        <translation>check mark</translation>
    </message>
    <message>
        <source>choose</source>
        <translation>choose</translation>
    </message>
    <message>
        <source>circled dot</source>
        <translation>circled dot</translation>
    </message>
    <message>
        <source>circled minus</source>
        <translation>circled minus</translation>
    </message>
    <message>
        <source>circled plus</source>
        <translation>circled plus</translation>
    </message>
    <message>
        <source>circled slash</source>
        <translation>circled slash</translation>
    </message>
    <message>
        <source>clockwise</source>
        <translation>clockwise</translation>
    </message>
    <message>
        <source>close angle bracket</source>
        <translation>close angle bracket</translation>
    </message>
    <message>
        <source>close brace</source>
        <translation>close brace</translation>
    </message>
    <message>
        <source>close bracket</source>
        <translation>close bracket</translation>
    </message>
    <message>
        <source>close double bracket</source>
        <translation>close double bracket</translation>
    </message>
    <message>
        <source>club</source>
        <translation>club</translation>
    </message>
    <message>
        <source>colon</source>
        <translation>colon</translation>
    </message>
    <message>
        <source>comma</source>
        <translation>comma</translation>
    </message>
    <message>
        <source>complement</source>
        <translation>complement</translation>
    </message>
    <message>
        <source>composed with</source>
        <translation>composed with</translation>
    </message>
    <message>
        <source>contains</source>
        <translation>contains</translation>
    </message>
    <message>
        <source>cosecant</source>
        <translation>cosecant</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>cosine</translation>
    </message>
    <message>
        <source>cotangent</source>
        <translation>cotangent</translation>
    </message>
    <message>
        <source>crossed out</source>
        <translation>crossed out</translation>
    </message>
    <message>
        <source>cubed</source>
        <translation>cubed</translation>
    </message>
    <message>
        <source>dagger</source>
        <translation>dagger</translation>
    </message>
    <message>
        <source>degree</source>
        <translation>degree</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>degrees</translation>
    </message>
    <message>
        <source>diamond</source>
        <translation>diamond</translation>
    </message>
    <message>
        <source>digamma</source>
        <translation>digamma</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>dimension</translation>
    </message>
    <message>
        <source>divided by</source>
        <translation>divided by</translation>
    </message>
    <message>
        <source>divides</source>
        <translation>divides</translation>
    </message>
    <message>
        <source>does not come from</source>
        <translation>does not come from</translation>
    </message>
    <message>
        <source>does not divide</source>
        <translation>does not divide</translation>
    </message>
    <message>
        <source>does not go to</source>
        <translation>does not go to</translation>
    </message>
    <message>
        <source>does not imply</source>
        <translation>does not imply</translation>
    </message>
    <message>
        <source>does not prove</source>
        <translation>does not prove</translation>
    </message>
    <message>
        <source>does not satisfy</source>
        <translation>does not satisfy</translation>
    </message>
    <message>
        <source>dollars</source>
        <translation>dollars</translation>
    </message>
    <message>
        <source>dot</source>
        <translation>dot</translation>
    </message>
    <message>
        <source>double arrow above</source>
        <translation>double arrow above</translation>
    </message>
    <message>
        <source>double bar</source>
        <translation>double bar</translation>
    </message>
    <message>
        <source>double dagger</source>
        <translation>double dagger</translation>
    </message>
    <message>
        <source>double dot</source>
        <translation>double dot</translation>
    </message>
    <message>
        <source>double subset</source>
        <translation>double subset</translation>
    </message>
    <message>
        <source>down</source>
        <translation>down</translation>
    </message>
    <message>
        <source>down left</source>
        <translation>down left</translation>
    </message>
    <message>
        <source>embeds into</source>
        <translation>embeds into</translation>
    </message>
    <message>
        <source>end ceiling</source>
        <translation>end ceiling</translation>
    </message>
    <message>
        <source>end floor</source>
        <translation>end floor</translation>
    </message>
    <message>
        <source>end fraction</source>
        <translation>end fraction</translation>
    </message>
    <message>
        <source>end matrix</source>
        <translation>end matrix</translation>
    </message>
    <message>
        <source>end of proof</source>
        <translation>end of proof</translation>
    </message>
    <message>
        <source>end power</source>
        <translation>end power</translation>
    </message>
    <message>
        <source>end root</source>
        <translation>end root</translation>
    </message>
    <message>
        <source>epsilon</source>
        <translation>epsilon</translation>
    </message>
    <message>
        <source>equals</source>
        <translation>equals</translation>
    </message>
    <message>
        <source>eth</source>
        <translation>eth</translation>
    </message>
    <message>
        <source>euro</source>
        <translation>euro</translation>
    </message>
    <message>
        <source>exclusive or</source>
        <translation>exclusive or</translation>
    </message>
    <message>
        <source>exp</source>
        <translation>exp</translation>
    </message>
    <message>
        <source>factorial</source>
        <translation>factorial</translation>
    </message>
    <message>
        <source>flat</source>
        <translation>flat</translation>
    </message>
    <message>
        <source>floor of</source>
        <translation>floor of</translation>
    </message>
    <message>
        <source>for all</source>
        <translation>for all</translation>
    </message>
    <message>
        <source>forces</source>
        <translation>forces</translation>
    </message>
    <message>
        <source>from</source>
        <translation>from</translation>
    </message>
    <message>
        <source>frown</source>
        <translation>frown</translation>
    </message>
    <message>
        <source>gets</source>
        <translation>gets</translation>
    </message>
    <message>
        <source>grave</source>
        <translation>grave</translation>
    </message>
    <message>
        <source>h bar</source>
        <translation>h bar</translation>
    </message>
    <message>
        <source>hat</source>
        <translation>hat</translation>
    </message>
    <message>
        <source>heart</source>
        <translation>heart</translation>
    </message>
    <message>
        <source>hom</source>
        <translation>hom</translation>
    </message>
    <message>
        <source>hyperbolic cosine</source>
        <translation>hyperbolic cosine</translation>
    </message>
    <message>
        <source>hyperbolic cotangent</source>
        <translation>hyperbolic cotangent</translation>
    </message>
    <message>
        <source>hyperbolic sine</source>
        <translation>hyperbolic sine</translation>
    </message>
    <message>
        <source>hyperbolic tangent</source>
        <translation>hyperbolic tangent</translation>
    </message>
    <message>
        <source>i</source>
        <translation>i</translation>
    </message>
    <message>
        <source>if and only if</source>
        <translation>if and only if</translation>
    </message>
    <message>
        <source>imaginary part</source>
        <translation>imaginary part</translation>
    </message>
    <message>
        <source>implies</source>
        <translation>implies</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>infinity</source>
        <translation>infinity</translation>
    </message>
    <message>
        <source>intersected with</source>
        <translation>intersected with</translation>
    </message>
    <message>
        <source>is a normal subgroup of</source>
        <translation>is a normal subgroup of</translation>
    </message>
    <message>
        <source>is a normal subgroup of or equal to</source>
        <translation>is a normal subgroup of or equal to</translation>
    </message>
    <message>
        <source>is a proper subset of</source>
        <translation>is a proper subset of</translation>
    </message>
    <message>
        <source>is a proper superset of</source>
        <translation>is a proper superset of</translation>
    </message>
    <message>
        <source>is a square subset of</source>
        <translation>is a square subset of</translation>
    </message>
    <message>
        <source>is a square superset of</source>
        <translation>is a square superset of</translation>
    </message>
    <message>
        <source>is a subset of</source>
        <translation>is a subset of</translation>
    </message>
    <message>
        <source>is a subset of or equal to</source>
        <translation>is a subset of or equal to</translation>
    </message>
    <message>
        <source>is a superset of</source>
        <translation>is a superset of</translation>
    </message>
    <message>
        <source>is a superset of or equal to</source>
        <translation>is a superset of or equal to</translation>
    </message>
    <message>
        <source>is approximately</source>
        <translation>is approximately</translation>
    </message>
    <message>
        <source>is approximately equal to</source>
        <translation>is approximately equal to</translation>
    </message>
    <message>
        <source>is asymptotic to</source>
        <translation>is asymptotic to</translation>
    </message>
    <message>
        <source>is at least</source>
        <translation>is at least</translation>
    </message>
    <message>
        <source>is at most</source>
        <translation>is at most</translation>
    </message>
    <message>
        <source>is congruent to</source>
        <translation>is congruent to</translation>
    </message>
    <message>
        <source>is defined as</source>
        <translation>is defined as</translation>
    </message>
    <message>
        <source>is embedded by</source>
        <translation>is embedded by</translation>
    </message>
    <message>
        <source>is equivalent to</source>
        <translation>is equivalent to</translation>
    </message>
    <message>
        <source>is greater than</source>
        <translation>is greater than</translation>
    </message>
    <message>
        <source>is greater than or similar to</source>
        <translation>is greater than or similar to</translation>
    </message>
    <message>
        <source>is implied by</source>
        <translation>is implied by</translation>
    </message>
    <message>
        <source>is in equilibrium with</source>
        <translation>is in equilibrium with</translation>
    </message>
    <message>
        <source>is less or greater than</source>
        <translation>is less or greater than</translation>
    </message>
    <message>
        <source>is less than</source>
        <translation>is less than</translation>
    </message>
    <message>
        <source>is less than or similar to</source>
        <translation>is less than or similar to</translation>
    </message>
    <message>
        <source>is much greater than</source>
        <translation>is much greater than</translation>
    </message>
    <message>
        <source>is much less than</source>
        <translation>is much less than</translation>
    </message>
    <message>
        <source>is not a subset of</source>
        <translation>is not a subset of</translation>
    </message>
    <message>
        <source>is not a superset of</source>
        <translation>is not a superset of</translation>
    </message>
    <message>
        <source>is not at least</source>
        <translation>is not at least</translation>
    </message>
    <message>
        <source>is not at most</source>
        <translation>is not at most</translation>
    </message>
    <message>
        <source>is not congruent to</source>
        <translation>is not congruent to</translation>
    </message>
    <message>
        <source>is not equal to</source>
        <translation>is not equal to</translation>
    </message>
    <message>
        <source>is not equivalent to</source>
        <translation>is not equivalent to</translation>
    </message>
    <message>
        <source>is not greater than</source>
        <translation>is not greater than</translation>
    </message>
    <message>
        <source>is not less than</source>
        <translation>is not less than</translation>
    </message>
    <message>
        <source>is not parallel to</source>
        <translation>is not parallel to</translation>
    </message>
    <message>
        <source>is parallel to</source>
        <translation>is parallel to</translation>
    </message>
    <message>
        <source>is perpendicular to</source>
        <translation>is perpendicular to</translation>
    </message>
    <message>
        <source>is proportional to</source>
        <translation>is proportional to</translation>
    </message>
    <message>
        <source>is proved by</source>
        <translation>is proved by</translation>
    </message>
    <message>
        <source>is similar or equal to</source>
        <translation>is similar or equal to</translation>
    </message>
    <message>
        <source>is similar to</source>
        <translation>is similar to</translation>
    </message>
    <message>
        <source>j</source>
        <translation>j</translation>
    </message>
    <message>
        <source>joined with</source>
        <translation>joined with</translation>
    </message>
    <message>
        <source>kappa</source>
        <translation>kappa</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>kernel</translation>
    </message>
    <message>
        <source>l</source>
        <translation>l</translation>
    </message>
    <message>
        <source>labelled</source>
        <translation>labelled</translation>
    </message>
    <message>
        <source>leads to</source>
        <translation>leads to</translation>
    </message>
    <message>
        <source>left arrow above</source>
        <translation>left arrow above</translation>
    </message>
    <message>
        <source>left semidirect product</source>
        <translation>left semidirect product</translation>
    </message>
    <message>
        <source>left triangle</source>
        <translation>left triangle</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>maps onto</source>
        <translation>maps onto</translation>
    </message>
    <message>
        <source>maps to</source>
        <translation>maps to</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>matrix</translation>
    </message>
    <message>
        <source>measured angle</source>
        <translation>measured angle</translation>
    </message>
    <message>
        <source>mho</source>
        <translation>mho</translation>
    </message>
    <message>
        <source>minus</source>
        <translation>minus</translation>
    </message>
    <message>
        <source>minus or plus</source>
        <translation>minus or plus</translation>
    </message>
    <message>
        <source>models</source>
        <translation>models</translation>
    </message>
    <message>
        <source>multiset union</source>
        <translation>multiset union</translation>
    </message>
    <message>
        <source>nabla</source>
        <translation>nabla</translation>
    </message>
    <message>
        <source>nand</source>
        <translation>nand</translation>
    </message>
    <message>
        <source>natural</source>
        <translation>natural</translation>
    </message>
    <message>
        <source>natural log</source>
        <translation>natural log</translation>
    </message>
    <message>
        <source>not</source>
        <translation>not</translation>
    </message>
    <message>
        <source>not in</source>
        <translation>not in</translation>
    </message>
    <message>
        <source>number</source>
        <translation>number</translation>
    </message>
    <message>
        <source>of</source>
        <translation>of</translation>
    </message>
    <message>
        <source>open angle bracket</source>
        <translation>open angle bracket</translation>
    </message>
    <message>
        <source>open brace</source>
        <translation>open brace</translation>
    </message>
    <message>
        <source>open bracket</source>
        <translation>open bracket</translation>
    </message>
    <message>
        <source>open double bracket</source>
        <translation>open double bracket</translation>
    </message>
    <message>
        <source>or</source>
        <translation>or</translation>
    </message>
    <message>
        <source>over</source>
        <translation>over</translation>
    </message>
    <message>
        <source>overbrace</source>
        <translation>overbrace</translation>
    </message>
    <message>
        <source>overlined</source>
        <translation>overlined</translation>
    </message>
    <message>
        <source>paragraph</source>
        <translation>paragraph</translation>
    </message>
    <message>
        <source>partial</source>
        <translation>partial</translation>
    </message>
    <message>
        <source>percent</source>
        <translation>percent</translation>
    </message>
    <message>
        <source>phi</source>
        <translation>phi</translation>
    </message>
    <message>
        <source>pi</source>
        <translation>pi</translation>
    </message>
    <message>
        <source>plus</source>
        <translation>plus</translation>
    </message>
    <message>
        <source>plus or minus</source>
        <translation>plus or minus</translation>
    </message>
    <message>
        <source>point</source>
        <translation>point</translation>
    </message>
    <message>
        <source>pounds</source>
        <translation>pounds</translation>
    </message>
    <message>
        <source>precedes</source>
        <translation>precedes</translation>
    </message>
    <message>
        <source>precedes or equals</source>
        <translation>precedes or equals</translation>
    </message>
    <message>
        <source>prime</source>
        <translation>prime</translation>
    </message>
    <message>
        <source>proves</source>
        <translation>proves</translation>
    </message>
    <message>
        <source>question mark</source>
        <translation>question mark</translation>
    </message>
    <message>
        <source>quote</source>
        <translation>quote</translation>
    </message>
    <message>
        <source>real part</source>
        <translation>real part</translation>
    </message>
    <message>
        <source>rho</source>
        <translation>rho</translation>
    </message>
    <message>
        <source>right semidirect product</source>
        <translation>right semidirect product</translation>
    </message>
    <message>
        <source>right triangle</source>
        <translation>right triangle</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>ring</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>row %1</translation>
    </message>
    <message>
        <source>satisfies</source>
        <translation>satisfies</translation>
    </message>
    <message>
        <source>secant</source>
        <translation>secant</translation>
    </message>
    <message>
        <source>section</source>
        <translation>section</translation>
    </message>
    <message>
        <source>semicolon</source>
        <translation>semicolon</translation>
    </message>
    <message>
        <source>sharp</source>
        <translation>sharp</translation>
    </message>
    <message>
        <source>sigma</source>
        <translation>sigma</translation>
    </message>
    <message>
        <source>sine</source>
        <translation>sine</translation>
    </message>
    <message>
        <source>smile</source>
        <translation>smile</translation>
    </message>
    <message>
        <source>spade</source>
        <translation>spade</translation>
    </message>
    <message>
        <source>square</source>
        <translation>square</translation>
    </message>
    <message>
        <source>square cap</source>
        <translation>square cap</translation>
    </message>
    <message>
        <source>square cup</source>
        <translation>square cup</translation>
    </message>
    <message>
        <source>squared</source>
        <translation>squared</translation>
    </message>
    <message>
        <source>star</source>
        <translation>star</translation>
    </message>
    <message>
        <source>sub</source>
        <translation>sub</translation>
    </message>
    <message>
        <source>succeeds</source>
        <translation>succeeds</translation>
    </message>
    <message>
        <source>succeeds or equals</source>
        <translation>succeeds or equals</translation>
    </message>
    <message>
        <source>tangent</source>
        <translation>tangent</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>tensor</translation>
    </message>
    <message>
        <source>the arg max</source>
        <translation>the arg max</translation>
    </message>
    <message>
        <source>the arg min</source>
        <translation>the arg min</translation>
    </message>
    <message>
        <source>the circled product</source>
        <translation>the circled product</translation>
    </message>
    <message>
        <source>the conjunction</source>
        <translation>the conjunction</translation>
    </message>
    <message>
        <source>the contour integral</source>
        <translation>the contour integral</translation>
    </message>
    <message>
        <source>the coproduct</source>
        <translation>the coproduct</translation>
    </message>
    <message>
        <source>the determinant</source>
        <translation>the determinant</translation>
    </message>
    <message>
        <source>the direct sum</source>
        <translation>the direct sum</translation>
    </message>
    <message>
        <source>the disjoint union</source>
        <translation>the disjoint union</translation>
    </message>
    <message>
        <source>the disjunction</source>
        <translation>the disjunction</translation>
    </message>
    <message>
        <source>the double integral</source>
        <translation>the double integral</translation>
    </message>
    <message>
        <source>the empty set</source>
        <translation>the empty set</translation>
    </message>
    <message>
        <source>the fraction</source>
        <translation>the fraction</translation>
    </message>
    <message>
        <source>the greatest common divisor</source>
        <translation>the greatest common divisor</translation>
    </message>
    <message>
        <source>the infimum</source>
        <translation>the infimum</translation>
    </message>
    <message>
        <source>the injective limit</source>
        <translation>the injective limit</translation>
    </message>
    <message>
        <source>the integral</source>
        <translation>the integral</translation>
    </message>
    <message>
        <source>the intersection</source>
        <translation>the intersection</translation>
    </message>
    <message>
        <source>the limit</source>
        <translation>the limit</translation>
    </message>
    <message>
        <source>the limit inferior</source>
        <translation>the limit inferior</translation>
    </message>
    <message>
        <source>the limit superior</source>
        <translation>the limit superior</translation>
    </message>
    <message>
        <source>the maximum</source>
        <translation>the maximum</translation>
    </message>
    <message>
        <source>the minimum</source>
        <translation>the minimum</translation>
    </message>
    <message>
        <source>the multiset union</source>
        <translation>the multiset union</translation>
    </message>
    <message>
        <source>the probability</source>
        <translation>the probability</translation>
    </message>
    <message>
        <source>the product</source>
        <translation>the product</translation>
    </message>
    <message>
        <source>the projective limit</source>
        <translation>the projective limit</translation>
    </message>
    <message>
        <source>the root of order</source>
        <translation>the root of order</translation>
    </message>
    <message>
        <source>the square root of</source>
        <translation>the square root of</translation>
    </message>
    <message>
        <source>the sum</source>
        <translation>the sum</translation>
    </message>
    <message>
        <source>the supremum</source>
        <translation>the supremum</translation>
    </message>
    <message>
        <source>the surface integral</source>
        <translation>the surface integral</translation>
    </message>
    <message>
        <source>the tensor product</source>
        <translation>the tensor product</translation>
    </message>
    <message>
        <source>the triple integral</source>
        <translation>the triple integral</translation>
    </message>
    <message>
        <source>the union</source>
        <translation>the union</translation>
    </message>
    <message>
        <source>there does not exist</source>
        <translation>there does not exist</translation>
    </message>
    <message>
        <source>there exists</source>
        <translation>there exists</translation>
    </message>
    <message>
        <source>therefore</source>
        <translation>therefore</translation>
    </message>
    <message>
        <source>theta</source>
        <translation>theta</translation>
    </message>
    <message>
        <source>tilde</source>
        <translation>tilde</translation>
    </message>
    <message>
        <source>times</source>
        <translation>times</translation>
    </message>
    <message>
        <source>to</source>
        <translation>to</translation>
    </message>
    <message>
        <source>to and from</source>
        <translation>to and from</translation>
    </message>
    <message>
        <source>to the power of</source>
        <translation>to the power of</translation>
    </message>
    <message>
        <source>top</source>
        <translation>top</translation>
    </message>
    <message>
        <source>triangle</source>
        <translation>triangle</translation>
    </message>
    <message>
        <source>triple dot</source>
        <translation>triple dot</translation>
    </message>
    <message>
        <source>underbrace</source>
        <translation>underbrace</translation>
    </message>
    <message>
        <source>underlined</source>
        <translation>underlined</translation>
    </message>
    <message>
        <source>underscore</source>
        <translation>underscore</translation>
    </message>
    <message>
        <source>united with</source>
        <translation>united with</translation>
    </message>
    <message>
        <source>up</source>
        <translation>up</translation>
    </message>
    <message>
        <source>up and down</source>
        <translation>up and down</translation>
    </message>
    <message>
        <source>up left</source>
        <translation>up left</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>vector</translation>
    </message>
    <message>
        <source>without</source>
        <translation>without</translation>
    </message>
    <message>
        <source>wreath</source>
        <translation>wreath</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>%1 used by Coterie</source>
        <translation>%1 used by Coterie</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memory</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>Memory: %1</translation>
    </message>
</context>
<context>
    <name>MemoryGroup</name>
    <message>
        <source>%1 has a value of its own: see "This model" below.</source>
        <translation>%1 has a value of its own: see "This model" below.</translation>
    </message>
    <message>
        <source>At least %1 GiB</source>
        <translation>At least %1 GiB</translation>
    </message>
    <message>
        <source>Let Coterie choose</source>
        <translation>Let Coterie choose</translation>
    </message>
    <message numerus="yes">
        <source>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token(s).</source>
        <translation><numerusform>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln token.</numerusform><numerusform>Longest conversation in tokens. A longer context uses more memory. The model was trained for %Ln tokens.</numerusform></translation>
    </message>
    <message>
        <source>Memory (applies when a model is opened)</source>
        <translation>Memory (applies when a model is opened)</translation>
    </message>
    <message>
        <source>Memory budget, slider</source>
        <translation>Memory budget, slider</translation>
    </message>
    <message>
        <source>The budget was set when Coterie was started. A change here applies from the next start.</source>
        <translation>The budget was set when Coterie was started. A change here applies from the next start.</translation>
    </message>
    <message>
        <source>This machine has %1</source>
        <translation>This machine has %1</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>Coterie itself</source>
        <translation>Coterie itself</translation>
    </message>
    <message>
        <source>Coterie may use %1 of %2.</source>
        <translation>Coterie may use %1 of %2.</translation>
    </message>
    <message>
        <source>Experts in memory</source>
        <translation>Experts in memory</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Free</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV cache</translation>
    </message>
    <message>
        <source>KV cache and states</source>
        <translation>KV cache and states</translation>
    </message>
    <message>
        <source>Layers in memory</source>
        <translation>Layers in memory</translation>
    </message>
    <message>
        <source>Memory is low: for now, Coterie keeps fewer experts than this allows.</source>
        <translation>Memory is low: for now, Coterie keeps fewer experts than this allows.</translation>
    </message>
    <message>
        <source>Memory is low: for now, Coterie keeps fewer layers than this allows.</source>
        <translation>Memory is low: for now, Coterie keeps fewer layers than this allows.</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Other programs</translation>
    </message>
    <message>
        <source>The graphics processor holds %1 of the model in memory of its own.</source>
        <translation>The graphics processor holds %1 of the model in memory of its own.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Weights</translation>
    </message>
</context>
<context>
    <name>MessageCommands</name>
    <message>
        <source>Colour the words of the answer by probability, or no longer</source>
        <translation>Colour the words of the answer by probability, or no longer</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Continue the answer</translation>
    </message>
    <message>
        <source>Copy the message as Markdown</source>
        <translation>Copy the message as Markdown</translation>
    </message>
    <message>
        <source>Copy the message as plain text</source>
        <translation>Copy the message as plain text</translation>
    </message>
    <message>
        <source>Delete the message and what follows</source>
        <translation>Delete the message and what follows</translation>
    </message>
    <message>
        <source>Delete the message that has the focus</source>
        <translation>Delete the message that has the focus</translation>
    </message>
    <message>
        <source>Edit your last message, or the one that has the focus</source>
        <translation>Edit your last message, or the one that has the focus</translation>
    </message>
    <message>
        <source>Fork into a new chat</source>
        <translation>Fork into a new chat</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Redo</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Redo: %1</translation>
    </message>
    <message>
        <source>Regenerate the answer</source>
        <translation>Regenerate the answer</translation>
    </message>
    <message>
        <source>Regenerate the answer, more predictable</source>
        <translation>Regenerate the answer, more predictable</translation>
    </message>
    <message>
        <source>Regenerate the answer, more varied</source>
        <translation>Regenerate the answer, more varied</translation>
    </message>
    <message>
        <source>Show alternatives for the words of the answer</source>
        <translation>Show alternatives for the words of the answer</translation>
    </message>
    <message>
        <source>Show the next version</source>
        <translation>Show the next version</translation>
    </message>
    <message>
        <source>Show the version before</source>
        <translation>Show the version before</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Undo: %1</translation>
    </message>
</context>
<context>
    <name>MessageEdit</name>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>Edit answer</source>
        <translation>Edit answer</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>Edit message</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Send</translation>
    </message>
</context>
<context>
    <name>MessageFiles</name>
    <message>
        <source>Text of %1</source>
        <comment>a file</comment>
        <translation>Text of %1</translation>
    </message>
    <message>
        <source>This is the beginning. The model reads the whole file.</source>
        <translation>This is the beginning. The model reads the whole file.</translation>
    </message>
</context>
<context>
    <name>MessageItem</name>
    <message>
        <source>Answer now</source>
        <translation>Answer now</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>Answer: %1</translation>
    </message>
    <message>
        <source>Not answered</source>
        <translation>Not answered</translation>
    </message>
    <message>
        <source>Results of tools</source>
        <translation>Results of tools</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Stopped</translation>
    </message>
    <message>
        <source>The answer is being written</source>
        <translation>The answer is being written</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>You: %1</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Actions of the message</source>
        <translation>Actions of the message</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Answer</translation>
    </message>
    <message>
        <source>Colour words by probability</source>
        <translation>Colour words by probability</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Continue the answer</translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation>Copy as plain text</translation>
    </message>
    <message>
        <source>Copy the selected text</source>
        <translation>Copy the selected text</translation>
    </message>
    <message>
        <source>Delete with what follows</source>
        <translation>Delete with what follows</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Edit</translation>
    </message>
    <message>
        <source>Fork into a new chat</source>
        <translation>Fork into a new chat</translation>
    </message>
    <message>
        <source>Hide alternatives</source>
        <translation>Hide alternatives</translation>
    </message>
    <message>
        <source>Hide probabilities</source>
        <translation>Hide probabilities</translation>
    </message>
    <message>
        <source>Regenerate differently&#8230;</source>
        <translation>Regenerate differently&#8230;</translation>
    </message>
    <message>
        <source>Show alternatives</source>
        <translation>Show alternatives</translation>
    </message>
</context>
<context>
    <name>MessageTools</name>
    <message>
        <source>Edit answer</source>
        <translation>Edit answer</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>Edit message</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>More actions</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerate</translation>
    </message>
    <message>
        <source>Show what the model did</source>
        <translation>Show what the model did</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A tiny model that comes with Coterie, to try things out.</source>
        <translation>A tiny model that comes with Coterie, to try things out.</translation>
    </message>
    <message>
        <source>Close this model</source>
        <translation>Close this model</translation>
    </message>
    <message>
        <source>Memory settings</source>
        <translation>Memory settings</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open one to talk to it.</source>
        <translation>Open one to talk to it.</translation>
    </message>
    <message>
        <source>Opening, %1 %</source>
        <translation>Opening, %1 %</translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation>Stop opening</translation>
    </message>
    <message>
        <source>The model in use</source>
        <translation>The model in use</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
</context>
<context>
    <name>ModelChip</name>
    <message>
        <source>All models</source>
        <translation>All models</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>Close %1</translation>
    </message>
    <message>
        <source>Could not be opened</source>
        <translation>Could not be opened</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo model</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Model: %1</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open a model&#8230;</source>
        <translation>Open a model&#8230;</translation>
    </message>
    <message>
        <source>Opening, %1 %</source>
        <translation>Opening, %1 %</translation>
    </message>
    <message>
        <source>Small model included with Coterie</source>
        <translation>Small model included with Coterie</translation>
    </message>
    <message>
        <source>Stop opening</source>
        <translation>Stop opening</translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation>The file is gone</translation>
    </message>
</context>
<context>
    <name>ModelDialog</name>
    <message>
        <source>All files (*)</source>
        <translation>All files (*)</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Models (*.gguf)</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Open a model</translation>
    </message>
</context>
<context>
    <name>ModelDrop</name>
    <message>
        <source>Drop the chats to import them</source>
        <translation>Drop the chats to import them</translation>
    </message>
    <message>
        <source>Drop the files to attach them</source>
        <translation>Drop the files to attach them</translation>
    </message>
    <message>
        <source>Drop the model to open it</source>
        <translation>Drop the model to open it</translation>
    </message>
</context>
<context>
    <name>ModelOffer</name>
    <message>
        <source>Open a model&#8230;</source>
        <translation>Open a model&#8230;</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>Recent models</translation>
    </message>
    <message>
        <source>or drop a .gguf file anywhere on this window</source>
        <translation>or drop a .gguf file anywhere on this window</translation>
    </message>
</context>
<context>
    <name>ModelStart</name>
    <message>
        <source>Cancel</source>
        <translation>Cancel</translation>
    </message>
    <message>
        <source>The model is being opened.</source>
        <translation>The model is being opened.</translation>
    </message>
    <message>
        <source>This model continues texts: write the beginning of one.</source>
        <translation>This model continues texts: write the beginning of one.</translation>
    </message>
    <message>
        <source>Write the first message below.</source>
        <translation>Write the first message below.</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>A model is a .gguf file. Coterie reads it where it is, and you can also drop one anywhere on this window.</source>
        <translation>A model is a .gguf file. Coterie reads it where it is, and you can also drop one anywhere on this window.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>Models opened before</source>
        <translation>Models opened before</translation>
    </message>
    <message>
        <source>Models that you open will be listed here.</source>
        <translation>Models that you open will be listed here.</translation>
    </message>
    <message>
        <source>Open a model file&#8230;</source>
        <translation>Open a model file&#8230;</translation>
    </message>
    <message>
        <source>Open the demo model</source>
        <translation>Open the demo model</translation>
    </message>
    <message>
        <source>Small model included with Coterie</source>
        <translation>Small model included with Coterie</translation>
    </message>
</context>
<context>
    <name>MoreSettings</name>
    <message>
        <source>More settings</source>
        <translation>More settings</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>Show all settings</translation>
    </message>
    <message>
        <source>Show fewer settings</source>
        <translation>Show fewer settings</translation>
    </message>
</context>
<context>
    <name>NewsBar</name>
    <message>
        <source>Show</source>
        <translation>Show</translation>
    </message>
</context>
<context>
    <name>NoRoomButton</name>
    <message>
        <source>No room: see what helps</source>
        <translation>No room: see what helps</translation>
    </message>
</context>
<context>
    <name>NoRoomCard</name>
    <message>
        <source>Dismiss</source>
        <translation>Dismiss</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>A number from %1 to %2.</source>
        <translation>A number from %1 to %2.</translation>
    </message>
    <message>
        <source>A number of %1 or more.</source>
        <translation>A number of %1 or more.</translation>
    </message>
    <message>
        <source>A whole number from %1 to %2.</source>
        <translation>A whole number from %1 to %2.</translation>
    </message>
    <message>
        <source>A whole number of %1 or more.</source>
        <translation>A whole number of %1 or more.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatic</translation>
    </message>
</context>
<context>
    <name>OfflineBadge</name>
    <message>
        <source>Offline</source>
        <translation>Offline</translation>
    </message>
    <message>
        <source>Show how to check this</source>
        <translation>Show how to check this</translation>
    </message>
</context>
<context>
    <name>PackedFileRow</name>
    <message>
        <source>%1 of %2 is written. You can keep using Coterie meanwhile.</source>
        <translation>%1 of %2 is written. You can keep using Coterie meanwhile.</translation>
    </message>
    <message>
        <source>Available when the answer is complete</source>
        <translation>Available when the answer is complete</translation>
    </message>
    <message>
        <source>It is not needed: nothing is read from disk while this model answers.</source>
        <translation>It is not needed: nothing is read from disk while this model answers.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space and is in use.</source>
        <translation>It takes %1 of disk space and is in use.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space but is not used, because the model's file has changed.</source>
        <translation>It takes %1 of disk space but is not used, because the model's file has changed.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space. Each expert is then read in one piece, so answers wait less for the disk.</source>
        <translation>It takes %1 of disk space. Each expert is then read in one piece, so answers wait less for the disk.</translation>
    </message>
    <message>
        <source>It takes %1 of disk space. It will be used when the model is opened again.</source>
        <translation>It takes %1 of disk space. It will be used when the model is opened again.</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>Make it</translation>
    </message>
    <message>
        <source>Open the model again</source>
        <translation>Open the model again</translation>
    </message>
    <message>
        <source>Packed file of the experts</source>
        <translation>Packed file of the experts</translation>
    </message>
    <message>
        <source>Rebuild</source>
        <translation>Rebuild</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Remove</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
    <message>
        <source>With the settings that the model was opened with, nothing is read from disk. Open it again to see whether a packed file helps.</source>
        <translation>With the settings that the model was opened with, nothing is read from disk. Open it again to see whether a packed file helps.</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Back to the conversation</source>
        <translation>Back to the conversation</translation>
    </message>
</context>
<context>
    <name>PaneTitle</name>
    <message>
        <source>Close this chat's side</source>
        <translation>Close this chat's side</translation>
    </message>
    <message>
        <source>Keys go to this chat</source>
        <translation>Keys go to this chat</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>New chat</translation>
    </message>
    <message>
        <source>Show the other chat</source>
        <translation>Show the other chat</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>Temporary chat</translation>
    </message>
</context>
<context>
    <name>PresetGroup</name>
    <message>
        <source>A preset needs a name that no other preset has.</source>
        <translation>A preset needs a name that no other preset has.</translation>
    </message>
    <message>
        <source>A preset needs a name. This one is still called %1.</source>
        <translation>A preset needs a name. This one is still called %1.</translation>
    </message>
    <message>
        <source>Another preset has the name %1 already. This one is still called %2.</source>
        <translation>Another preset has the name %1 already. This one is still called %2.</translation>
    </message>
    <message>
        <source>Bring back Coterie's presets</source>
        <translation>Bring back Coterie's presets</translation>
    </message>
    <message>
        <source>Delete the preset %1</source>
        <translation>Delete the preset %1</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplicate</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>Name of the preset</translation>
    </message>
    <message>
        <source>New preset</source>
        <translation>New preset</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Preset</translation>
    </message>
</context>
<context>
    <name>PresetMenu</name>
    <message>
        <source>No preset</source>
        <translation>No preset</translation>
    </message>
    <message>
        <source>Preset: %1</source>
        <translation>Preset: %1</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Presets</translation>
    </message>
</context>
<context>
    <name>ProblemStrip</name>
    <message>
        <source>Open another model&#8230;</source>
        <translation>Open another model&#8230;</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Try again</translation>
    </message>
</context>
<context>
    <name>PromptQueueView</name>
    <message>
        <source>Send next</source>
        <translation>Send next</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>Send now</translation>
    </message>
    <message>
        <source>Waiting messages</source>
        <translation>Waiting messages</translation>
    </message>
</context>
<context>
    <name>PushButton</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>QuestionButton</name>
    <message>
        <source>What is this? %1</source>
        <translation>What is this? %1</translation>
    </message>
</context>
<context>
    <name>QueuedPrompt</name>
    <message>
        <source>Cancel the waiting message</source>
        <translation>Cancel the waiting message</translation>
    </message>
    <message>
        <source>Edit the waiting message</source>
        <translation>Edit the waiting message</translation>
    </message>
    <message>
        <source>Waiting message: %1</source>
        <translation>Waiting message: %1</translation>
    </message>
    <message>
        <source>Waiting message: %1. Files: %2</source>
        <translation>Waiting message: %1. Files: %2</translation>
    </message>
</context>
<context>
    <name>RecentModelRow</name>
    <message>
        <source>Forget</source>
        <translation>Forget</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>Forget %1</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In use</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Open</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Open %1</translation>
    </message>
    <message>
        <source>Remove %1 from this list</source>
        <translation>Remove %1 from this list</translation>
    </message>
    <message>
        <source>The file is not there any more.</source>
        <translation>The file is not there any more.</translation>
    </message>
</context>
<context>
    <name>RegenerateMenu</name>
    <message>
        <source>Change the settings of this chat&#8230;</source>
        <translation>Change the settings of this chat&#8230;</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo model</translation>
    </message>
    <message>
        <source>More predictable</source>
        <translation>More predictable</translation>
    </message>
    <message>
        <source>More varied</source>
        <translation>More varied</translation>
    </message>
    <message>
        <source>Small model included with Coterie</source>
        <translation>Small model included with Coterie</translation>
    </message>
    <message>
        <source>Ways to regenerate the answer</source>
        <translation>Ways to regenerate the answer</translation>
    </message>
    <message>
        <source>With %1</source>
        <comment>a model</comment>
        <translation>With %1</translation>
    </message>
    <message>
        <source>With the preset %1</source>
        <translation>With the preset %1</translation>
    </message>
</context>
<context>
    <name>ReplaceQuestion</name>
    <message>
        <source>Keep the file</source>
        <translation>Keep the file</translation>
    </message>
    <message>
        <source>Replace the file</source>
        <translation>Replace the file</translation>
    </message>
    <message>
        <source>There is a file %1 already. Replace it?</source>
        <translation>There is a file %1 already. Replace it?</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Save</source>
        <translation>Save</translation>
    </message>
</context>
<context>
    <name>ScopeBar</name>
    <message>
        <source>All chats</source>
        <translation>All chats</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Presets</translation>
    </message>
    <message>
        <source>These values apply to</source>
        <translation>These values apply to</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>This chat</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>This model</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message numerus="yes">
        <source>%Ln found</source>
        <translation><numerusform>%Ln found</numerusform><numerusform>%Ln found</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln setting(s) found</source>
        <translation><numerusform>%Ln setting found</numerusform><numerusform>%Ln settings found</numerusform></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Clear the search</translation>
    </message>
    <message>
        <source>Enter opens the page %1.</source>
        <translation>Enter opens the page %1.</translation>
    </message>
    <message>
        <source>No setting contains these words.</source>
        <translation>No setting contains these words.</translation>
    </message>
    <message>
        <source>Page: %1</source>
        <translation>Page: %1</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>Search in settings</source>
        <translation>Search in settings</translation>
    </message>
    <message>
        <source>Show the settings again</source>
        <translation>Show the settings again</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>The part %1</source>
        <translation>The part %1</translation>
    </message>
</context>
<context>
    <name>SettingTexts</name>
    <message>
        <source>0 always picks the most likely token. Higher values give more variety.</source>
        <translation>0 always picks the most likely token. Higher values give more variety.</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>All rows</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Always</translation>
    </message>
    <message>
        <source>An answer ends before any of these texts. Write one on each line; \n stands for a line break.</source>
        <translation>An answer ends before any of these texts. Write one on each line; \n stands for a line break.</translation>
    </message>
    <message>
        <source>An answer stops after this many tokens. If this is empty, it ends by itself.</source>
        <translation>An answer stops after this many tokens. If this is empty, it ends by itself.</translation>
    </message>
    <message>
        <source>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</source>
        <translation>An expert in memory replaces one on disk that is only a little better. The best expert is always used. Answers wait less for the disk.</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Ask</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatic</translation>
    </message>
    <message>
        <source>By the model</source>
        <translation>By the model</translation>
    </message>
    <message>
        <source>By the prompt</source>
        <translation>By the prompt</translation>
    </message>
    <message>
        <source>CPU, cores, speed</source>
        <translation>CPU, cores, speed</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Compact</translation>
    </message>
    <message>
        <source>Computed by</source>
        <translation>Computed by</translation>
    </message>
    <message>
        <source>Considers only the most likely tokens whose probabilities add up to this. 1 turns this off.</source>
        <translation>Considers only the most likely tokens whose probabilities add up to this. 1 turns this off.</translation>
    </message>
    <message>
        <source>Considers only this many of the most likely tokens. 0 turns this off.</source>
        <translation>Considers only this many of the most likely tokens. 0 turns this off.</translation>
    </message>
    <message>
        <source>Considers only tokens with at least this share of the highest probability. 0 turns this off.</source>
        <translation>Considers only tokens with at least this share of the highest probability. 0 turns this off.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Context</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>Context in tokens</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dark</translation>
    </message>
    <message>
        <source>Don't keep</source>
        <translation>Don't keep</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exact</translation>
    </message>
    <message>
        <source>For models that can think. Answers take longer and are often better.</source>
        <translation>For models that can think. Answers take longer and are often better.</translation>
    </message>
    <message>
        <source>Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses half the memory, but answers may differ slightly.</source>
        <translation>Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses half the memory, but answers may differ slightly.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Frequency penalty</translation>
    </message>
    <message>
        <source>GPU, graphics card, Vulkan, processor, device, speed</source>
        <translation>GPU, graphics card, Vulkan, processor, device, speed</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>Head predictor</source>
        <translation>Head predictor</translation>
    </message>
    <message>
        <source>How many of the last tokens the three penalties look at.</source>
        <translation>How many of the last tokens the three penalties look at.</translation>
    </message>
    <message>
        <source>If records take more room than this, the oldest ones are deleted. A change applies at once.</source>
        <translation>If records take more room than this, the oldest ones are deleted. A change applies at once.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV cache</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Keep</translation>
    </message>
    <message>
        <source>Keep what the experts did with each answer</source>
        <translation>Keep what the experts did with each answer</translation>
    </message>
    <message>
        <source>Leave out the least important experts</source>
        <translation>Leave out the least important experts</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Light</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Longest answer</translation>
    </message>
    <message>
        <source>Longest answer in tokens</source>
        <translation>Longest answer in tokens</translation>
    </message>
    <message>
        <source>Longest conversation in tokens. A longer context uses more memory.</source>
        <translation>Longest conversation in tokens. A longer context uses more memory.</translation>
    </message>
    <message>
        <source>Lowers a token each time that it has appeared. 0 turns this off.</source>
        <translation>Lowers a token each time that it has appeared. 0 turns this off.</translation>
    </message>
    <message>
        <source>Lowers a token once if it has appeared. 0 turns this off.</source>
        <translation>Lowers a token once if it has appeared. 0 turns this off.</translation>
    </message>
    <message>
        <source>Makes tokens that have appeared less likely. 1 turns this off.</source>
        <translation>Makes tokens that have appeared less likely. 1 turns this off.</translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>Memory budget</translation>
    </message>
    <message>
        <source>Memory budget in GiB</source>
        <translation>Memory budget in GiB</translation>
    </message>
    <message>
        <source>Memory that Coterie may use in total. Models can be larger than this.</source>
        <translation>Memory that Coterie may use in total. Models can be larger than this.</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Never</translation>
    </message>
    <message>
        <source>New each time</source>
        <translation>New each time</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>No limit</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Off</translation>
    </message>
    <message>
        <source>On</source>
        <translation>On</translation>
    </message>
    <message>
        <source>Packed file of the experts</source>
        <translation>Packed file of the experts</translation>
    </message>
    <message>
        <source>Packed files without a model</source>
        <translation>Packed files without a model</translation>
    </message>
    <message>
        <source>Penalty window</source>
        <translation>Penalty window</translation>
    </message>
    <message>
        <source>Penalty window in tokens</source>
        <translation>Penalty window in tokens</translation>
    </message>
    <message>
        <source>Predicted rows</source>
        <translation>Predicted rows</translation>
    </message>
    <message>
        <source>Prefer experts that are in memory</source>
        <translation>Prefer experts that are in memory</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Presence penalty</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Presets</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Processor threads</translation>
    </message>
    <message>
        <source>RAM, limit, gigabytes</source>
        <translation>RAM, limit, gigabytes</translation>
    </message>
    <message>
        <source>Records of all answers</source>
        <translation>Records of all answers</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Repetition penalty</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Reset all settings</translation>
    </message>
    <message>
        <source>Reset these values to their defaults</source>
        <translation>Reset these values to their defaults</translation>
    </message>
    <message>
        <source>Room for records</source>
        <translation>Room for records</translation>
    </message>
    <message>
        <source>Room for records in MiB</source>
        <translation>Room for records in MiB</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Stop texts</source>
        <translation>Stop texts</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System prompt</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperature</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Text size</translation>
    </message>
    <message>
        <source>Text size in percent</source>
        <translation>Text size in percent</translation>
    </message>
    <message>
        <source>Text that the model reads before every conversation.</source>
        <translation>Text that the model reads before every conversation.</translation>
    </message>
    <message>
        <source>The least important experts of a token often have little weight. Without them, there is less to read and compute.</source>
        <translation>The least important experts of a token often have little weight. Without them, there is less to read and compute.</translation>
    </message>
    <message>
        <source>The model gives a chat a short title after its first answer, when it has nothing else to do. The demo model does not.</source>
        <translation>The model gives a chat a short title after its first answer, when it has nothing else to do. The demo model does not.</translation>
    </message>
    <message>
        <source>The model may ask for a calculator, the time, attached files and a search of your chats. Each asks you first. For models that were trained to call tools.</source>
        <translation>The model may ask for a calculator, the time, attached files and a search of your chats. Each asks you first. For models that were trained to call tools.</translation>
    </message>
    <message>
        <source>The output head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed, which is faster. All rows are computed if a value needs them, for example a top-k of 0.</source>
        <translation>The output head scores every token that could come next, a row for each. With a predictor only the rows that are likely to matter are computed, which is faster. All rows are computed if a value needs them, for example a top-k of 0.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Theme</translation>
    </message>
    <message>
        <source>Think before answering</source>
        <translation>Think before answering</translation>
    </message>
    <message>
        <source>Titles of new chats</source>
        <translation>Titles of new chats</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Tools</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>With the same seed, the same conversation gets the same answer again.</source>
        <translation>With the same seed, the same conversation gets the same answer again.</translation>
    </message>
    <message>
        <source>With this, old answers can be inspected, their words have alternatives, and an answer that stopped in a thought can be continued. Records are deleted with their messages, and stay out of exports unless you ask for them.</source>
        <translation>With this, old answers can be inspected, their words have alternatives, and an answer that stopped in a thought can be continued. Records are deleted with their messages, and stay out of exports unless you ask for them.</translation>
    </message>
    <message>
        <source>answer length, maximum tokens, limit</source>
        <translation>answer length, maximum tokens, limit</translation>
    </message>
    <message>
        <source>automatic title, name, rename</source>
        <translation>automatic title, name, rename</translation>
    </message>
    <message>
        <source>context length, context window, memory</source>
        <translation>context length, context window, memory</translation>
    </message>
    <message>
        <source>creativity, randomness, sampling</source>
        <translation>creativity, randomness, sampling</translation>
    </message>
    <message>
        <source>dark mode, light mode, colours, appearance</source>
        <translation>dark mode, light mode, colours, appearance</translation>
    </message>
    <message>
        <source>default values, defaults, factory settings</source>
        <translation>default values, defaults, factory settings</translation>
    </message>
    <message>
        <source>default values, remove</source>
        <translation>default values, remove</translation>
    </message>
    <message>
        <source>delete, disk space, traces, activity</source>
        <translation>delete, disk space, traces, activity</translation>
    </message>
    <message>
        <source>disk space, limit, traces, activity</source>
        <translation>disk space, limit, traces, activity</translation>
    </message>
    <message>
        <source>disk, faster reading</source>
        <translation>disk, faster reading</translation>
    </message>
    <message>
        <source>disk, free space, delete</source>
        <translation>disk, free space, delete</translation>
    </message>
    <message>
        <source>faster, less exact, lossy, approximate, routing, speed, battery</source>
        <translation>faster, less exact, lossy, approximate, routing, speed, battery</translation>
    </message>
    <message>
        <source>font size, zoom, larger, smaller, appearance</source>
        <translation>font size, zoom, larger, smaller, appearance</translation>
    </message>
    <message>
        <source>functions, calculator, time, files, search</source>
        <translation>functions, calculator, time, files, search</translation>
    </message>
    <message>
        <source>inspector, activity, traces, alternatives, tokens</source>
        <translation>inspector, activity, traces, alternatives, tokens</translation>
    </message>
    <message>
        <source>instructions, role, persona, character</source>
        <translation>instructions, role, persona, character</translation>
    </message>
    <message>
        <source>nucleus sampling</source>
        <translation>nucleus sampling</translation>
    </message>
    <message>
        <source>output layer, vocabulary, logits, speed</source>
        <translation>output layer, vocabulary, logits, speed</translation>
    </message>
    <message>
        <source>profile, set of values</source>
        <translation>profile, set of values</translation>
    </message>
    <message>
        <source>quantisation, key-value cache, memory</source>
        <translation>quantisation, key-value cache, memory</translation>
    </message>
    <message>
        <source>random number, repeatable, sampling</source>
        <translation>random number, repeatable, sampling</translation>
    </message>
    <message>
        <source>reasoning, thoughts</source>
        <translation>reasoning, thoughts</translation>
    </message>
    <message>
        <source>repeat last n, repetition, sampling</source>
        <translation>repeat last n, repetition, sampling</translation>
    </message>
    <message>
        <source>repeat penalty, loops, sampling</source>
        <translation>repeat penalty, loops, sampling</translation>
    </message>
    <message>
        <source>repetition, new topics, sampling</source>
        <translation>repetition, new topics, sampling</translation>
    </message>
    <message>
        <source>repetition, sampling</source>
        <translation>repetition, sampling</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>sampling</translation>
    </message>
    <message>
        <source>stop strings, stop sequences, end</source>
        <translation>stop strings, stop sequences, end</translation>
    </message>
    <message>
        <source>tools, functions, permission, allow</source>
        <translation>tools, functions, permission, allow</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Also: the KV cache, threads, packed files, how tokens are drawn, tools, records of what the experts did, and faster but less exact answers.</source>
        <translation>Also: the KV cache, threads, packed files, how tokens are drawn, tools, records of what the experts did, and faster but less exact answers.</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Appearance</translation>
    </message>
    <message>
        <source>Appearance, memory, records, and the values for all chats get their defaults. Models, presets and chats keep theirs. Ctrl+Z undoes it.</source>
        <translation>Appearance, memory, records, and the values for all chats get their defaults. Models, presets and chats keep theirs. Ctrl+Z undoes it.</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Reset all</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Reset all settings</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <source> or </source>
        <translation> or </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Keyboard shortcuts</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Bin</source>
        <translation>Bin</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Shortcuts</translation>
    </message>
</context>
<context>
    <name>StartFacts</name>
    <message>
        <source>A model is a .gguf file that others trained and shared. Coterie reads it where it is, without copying it, and it can be larger than memory.</source>
        <translation>A model is a .gguf file that others trained and shared. Coterie reads it where it is, without copying it, and it can be larger than memory.</translation>
    </message>
    <message>
        <source>What you write stays on this computer. Coterie never opens a network connection and keeps your chats in one file on your disk.</source>
        <translation>What you write stays on this computer. Coterie never opens a network connection and keeps your chats in one file on your disk.</translation>
    </message>
</context>
<context>
    <name>TemporaryStrip</name>
    <message>
        <source>Delete it</source>
        <translation>Delete it</translation>
    </message>
    <message>
        <source>Keep it among your chats, or delete it for good?</source>
        <translation>Keep it among your chats, or delete it for good?</translation>
    </message>
    <message>
        <source>Keep this chat</source>
        <translation>Keep this chat</translation>
    </message>
    <message>
        <source>Nothing of it is written to the disk. It is gone when you leave it.</source>
        <translation>Nothing of it is written to the disk. It is gone when you leave it.</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>Stay here</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>Temporary chat</translation>
    </message>
    <message>
        <source>Temporary chat. %1</source>
        <translation>Temporary chat. %1</translation>
    </message>
    <message>
        <source>This temporary chat ends</source>
        <translation>This temporary chat ends</translation>
    </message>
</context>
<context>
    <name>ThoughtFrame</name>
    <message>
        <source>Hide the thoughts</source>
        <translation>Hide the thoughts</translation>
    </message>
    <message>
        <source>Show the thoughts</source>
        <translation>Show the thoughts</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Thinking</translation>
    </message>
    <message>
        <source>Thought for %1 s</source>
        <translation>Thought for %1 s</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Thoughts</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>%1x</source>
        <translation>%1x</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Newest</translation>
    </message>
    <message>
        <source>Pause the replay</source>
        <translation>Pause the replay</translation>
    </message>
    <message>
        <source>Real time</source>
        <translation>Real time</translation>
    </message>
    <message>
        <source>Replay the answer</source>
        <translation>Replay the answer</translation>
    </message>
    <message>
        <source>Slow motion</source>
        <translation>Slow motion</translation>
    </message>
    <message>
        <source>Speed of the replay</source>
        <translation>Speed of the replay</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
</context>
<context>
    <name>TokenStrip</name>
    <message>
        <source>Tokens of the answer</source>
        <translation>Tokens of the answer</translation>
    </message>
    <message>
        <source>Tokens of the prompt</source>
        <translation>Tokens of the prompt</translation>
    </message>
</context>
<context>
    <name>ToolRequest</name>
    <message>
        <source>Allow once</source>
        <translation>Allow once</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>Always allow</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Never</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Not now</translation>
    </message>
    <message>
        <source>Running: %1</source>
        <translation>Running: %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stop</translation>
    </message>
    <message>
        <source>The model asks to use: %1</source>
        <translation>The model asks to use: %1</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Calculator</source>
        <translation>Calculator</translation>
    </message>
    <message>
        <source>Current time</source>
        <translation>Current time</translation>
    </message>
    <message>
        <source>Read an attached file</source>
        <translation>Read an attached file</translation>
    </message>
    <message>
        <source>Search my chats</source>
        <translation>Search my chats</translation>
    </message>
</context>
<context>
    <name>ToolsGroup</name>
    <message>
        <source>Tools that may be run (apply at once)</source>
        <translation>Tools that may be run (apply at once)</translation>
    </message>
</context>
<context>
    <name>TracesGroup</name>
    <message>
        <source>All records take %1 now.</source>
        <translation>All records take %1 now.</translation>
    </message>
    <message>
        <source>Delete all records</source>
        <translation>Delete all records</translation>
    </message>
    <message>
        <source>Delete removes the records of all answers. The answers themselves stay.</source>
        <translation>Delete removes the records of all answers. The answers themselves stay.</translation>
    </message>
    <message>
        <source>Records of all answers</source>
        <translation>Records of all answers</translation>
    </message>
    <message>
        <source>Records of what the experts did (apply from the next answer)</source>
        <translation>Records of what the experts did (apply from the next answer)</translation>
    </message>
    <message>
        <source>There are none now.</source>
        <translation>There are none now.</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Redo</source>
        <translation>Redo</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
</context>
<context>
    <name>UnusedPackedFilesRow</name>
    <message>
        <source>Free %1</source>
        <translation>Free %1</translation>
    </message>
    <message numerus="yes">
        <source>No model uses the %Ln file(s) of %1 in total: their models were changed, moved or deleted, or the files are damaged.</source>
        <translation><numerusform>No model uses this file of %1: its model was changed, moved or deleted, or the file is damaged.</numerusform><numerusform>No model uses these %Ln files of %1 in total: their models were changed, moved or deleted, or the files are damaged.</numerusform></translation>
    </message>
    <message>
        <source>Packed files without a model</source>
        <translation>Packed files without a model</translation>
    </message>
</context>
<context>
    <name>ValueRow</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>ValueSlider</name>
    <message>
        <source>Not available now</source>
        <translation>Not available now</translation>
    </message>
</context>
<context>
    <name>VersionSwitch</name>
    <message>
        <source>%1/%2</source>
        <comment>a version of all versions</comment>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Answer %1 of %2</source>
        <translation>Answer %1 of %2</translation>
    </message>
    <message>
        <source>Message %1 of %2</source>
        <translation>Message %1 of %2</translation>
    </message>
    <message>
        <source>Show the next version</source>
        <translation>Show the next version</translation>
    </message>
    <message>
        <source>Show the version before</source>
        <translation>Show the version before</translation>
    </message>
</context>
<context>
    <name>ViewStart</name>
    <message>
        <source>Show the model the whole conversation</source>
        <translation>Show the model the whole conversation</translation>
    </message>
    <message>
        <source>The model sees the conversation from here</source>
        <translation>The model sees the conversation from here</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>About Coterie</source>
        <translation>About Coterie</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>All commands</translation>
    </message>
    <message>
        <source>Attach files to the message</source>
        <translation>Attach files to the message</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>Bin</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Close the page, or stop the answer</source>
        <translation>Close the page, or stop the answer</translation>
    </message>
    <message>
        <source>Close the program</source>
        <translation>Close the program</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Delete the chat in the list</source>
        <translation>Delete the chat in the list</translation>
    </message>
    <message>
        <source>Duplicate the chat</source>
        <translation>Duplicate the chat</translation>
    </message>
    <message>
        <source>Export and import</source>
        <translation>Export and import</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>Find in this chat</translation>
    </message>
    <message>
        <source>Find the next place</source>
        <translation>Find the next place</translation>
    </message>
    <message>
        <source>Find the place before</source>
        <translation>Find the place before</translation>
    </message>
    <message>
        <source>GGUF, model files, demo model, open, recent</source>
        <translation>GGUF, model files, demo model, open, recent</translation>
    </message>
    <message>
        <source>Go to the chat at the other side</source>
        <translation>Go to the chat at the other side</translation>
    </message>
    <message>
        <source>Go to the list of chats</source>
        <translation>Go to the list of chats</translation>
    </message>
    <message>
        <source>Jump to the latest message</source>
        <translation>Jump to the latest message</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Keyboard shortcuts</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Larger text</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Licences</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Models</translation>
    </message>
    <message>
        <source>Move the chat to a folder</source>
        <translation>Move the chat to a folder</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>New chat</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>New folder</translation>
    </message>
    <message>
        <source>New line in the message</source>
        <translation>New line in the message</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>New temporary chat</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Open a model</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>Pin the chat, or unpin it</source>
        <translation>Pin the chat, or unpin it</translation>
    </message>
    <message>
        <source>Rename the chat in the list</source>
        <translation>Rename the chat in the list</translation>
    </message>
    <message>
        <source>Say what the experts do, for screen readers</source>
        <translation>Say what the experts do, for screen readers</translation>
    </message>
    <message>
        <source>Search in all chats</source>
        <translation>Search in all chats</translation>
    </message>
    <message>
        <source>Select the chat in the list, or no longer</source>
        <translation>Select the chat in the list, or no longer</translation>
    </message>
    <message>
        <source>Select the next paragraph or code</source>
        <translation>Select the next paragraph or code</translation>
    </message>
    <message>
        <source>Select the paragraph or code before</source>
        <translation>Select the paragraph or code before</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Send the message</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Settings</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Settings of this chat</translation>
    </message>
    <message>
        <source>Show a second chat, or close this one of two</source>
        <translation>Show a second chat, or close this one of two</translation>
    </message>
    <message>
        <source>Show or hide the list of chats</source>
        <translation>Show or hide the list of chats</translation>
    </message>
    <message>
        <source>Show or hide the model's activity</source>
        <translation>Show or hide the model's activity</translation>
    </message>
    <message>
        <source>Show the chat in the list beside the other</source>
        <translation>Show the chat in the list beside the other</translation>
    </message>
    <message>
        <source>Show the model's activity as a page</source>
        <translation>Show the model's activity as a page</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Smaller text</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Stop the answer</translation>
    </message>
    <message>
        <source>Text in its usual size</source>
        <translation>Text in its usual size</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Window</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Write a message</translation>
    </message>
    <message>
        <source>backup, other computer, Markdown, JSON, ChatGPT, LM Studio, Jan, llama.cpp</source>
        <translation>backup, other computer, Markdown, JSON, ChatGPT, LM Studio, Jan, llama.cpp</translation>
    </message>
    <message>
        <source>deleted chats, deleted messages, trash, restore, erase</source>
        <translation>deleted chats, deleted messages, trash, restore, erase</translation>
    </message>
    <message>
        <source>keys, hotkeys</source>
        <translation>keys, hotkeys</translation>
    </message>
    <message>
        <source>licenses, libraries, copyright, free software</source>
        <translation>licenses, libraries, copyright, free software</translation>
    </message>
    <message>
        <source>version, offline, network, privacy</source>
        <translation>version, offline, network, privacy</translation>
    </message>
</context>
<context>
    <name>coterie::app::ActivityGrid</name>
    <message>
        <source>%1 They were written by %2.</source>
        <translation>%1 They were written by %2.</translation>
    </message>
    <message>
        <source>A model is being opened.</source>
        <translation>A model is being opened.</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>No model is open.</translation>
    </message>
    <message>
        <source>The open model is %1, not the one of this answer. %2</source>
        <translation>The open model is %1, not the one of this answer. %2</translation>
    </message>
    <message>
        <source>The records of this chat's answers are being read.</source>
        <translation>The records of this chat's answers are being read.</translation>
    </message>
    <message>
        <source>This chat has no other answer that could be counted.</source>
        <translation>This chat has no other answer that could be counted.</translation>
    </message>
    <message>
        <source>Without a record there is no token to show.</source>
        <translation>Without a record there is no token to show.</translation>
    </message>
    <message>
        <source>Without a record there is nothing to count.</source>
        <translation>Without a record there is nothing to count.</translation>
    </message>
</context>
<context>
    <name>coterie::app::AnswerCharts</name>
    <message numerus="yes">
        <source>From %Ln answer(s) of this chat.</source>
        <translation><numerusform>From %Ln answer of this chat.</numerusform><numerusform>From %Ln answers of this chat.</numerusform></translation>
    </message>
    <message>
        <source>From this answer.</source>
        <translation>From this answer.</translation>
    </message>
    <message>
        <source>Open model: %1</source>
        <translation>Open model: %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::AnswerComparison</name>
    <message>
        <source>Another model wrote the answer before it, so nothing is compared.</source>
        <translation>Another model wrote the answer before it, so nothing is compared.</translation>
    </message>
    <message>
        <source>Another model wrote the answer that you kept, so nothing is compared.</source>
        <translation>Another model wrote the answer that you kept, so nothing is compared.</translation>
    </message>
    <message>
        <source>Its prompt</source>
        <translation>Its prompt</translation>
    </message>
    <message numerus="yes">
        <source>Its prompt (%Ln token(s) read)</source>
        <translation><numerusform>Its prompt (%Ln token read)</numerusform><numerusform>Its prompt (%Ln tokens read)</numerusform></translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nothing</translation>
    </message>
    <message>
        <source>The answer %1, which you kept</source>
        <translation>The answer %1, which you kept</translation>
    </message>
    <message>
        <source>The answer before it</source>
        <translation>The answer before it</translation>
    </message>
    <message>
        <source>The answer before it has no record, so nothing is compared.</source>
        <translation>The answer before it has no record, so nothing is compared.</translation>
    </message>
    <message>
        <source>The answer before it is further up in the chat. Scroll up to it, and it will be compared.</source>
        <translation>The answer before it is further up in the chat. Scroll up to it, and it will be compared.</translation>
    </message>
    <message>
        <source>The record has no token of its prompt, so nothing is compared.</source>
        <translation>The record has no token of its prompt, so nothing is compared.</translation>
    </message>
    <message>
        <source>There is no answer before it to compare with.</source>
        <translation>There is no answer before it to compare with.</translation>
    </message>
    <message>
        <source>This is the answer that you kept, so nothing is compared.</source>
        <translation>This is the answer that you kept, so nothing is compared.</translation>
    </message>
    <message>
        <source>its prompt</source>
        <translation>its prompt</translation>
    </message>
    <message numerus="yes">
        <source>the %Ln token(s) of its prompt that the model read</source>
        <translation><numerusform>the one token of its prompt that the model read</numerusform><numerusform>the %Ln tokens of its prompt that the model read</numerusform></translation>
    </message>
    <message>
        <source>the answer %1, which you kept</source>
        <translation>the answer %1, which you kept</translation>
    </message>
    <message>
        <source>the answer before it</source>
        <translation>the answer before it</translation>
    </message>
</context>
<context>
    <name>coterie::app::AnswerNews</name>
    <message>
        <source>The answer in "%1" broke off</source>
        <translation>The answer in "%1" broke off</translation>
    </message>
    <message>
        <source>The answer in "%1" is complete</source>
        <translation>The answer in "%1" is complete</translation>
    </message>
    <message>
        <source>The model asks to use a tool in "%1"</source>
        <translation>The model asks to use a tool in "%1"</translation>
    </message>
</context>
<context>
    <name>coterie::app::AnswerQueue</name>
    <message>
        <source>The model called a tool, which was not run because tools are switched off.</source>
        <translation>The model called a tool, which was not run because tools are switched off.</translation>
    </message>
    <message>
        <source>The model had nothing to add.</source>
        <translation>The model had nothing to add.</translation>
    </message>
</context>
<context>
    <name>coterie::app::AnswerTokens</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message numerus="yes">
        <source>Expert %1 of layer %2 worked on %3 of this answer's %Ln token(s).</source>
        <translation><numerusform>Expert %1 of layer %2 worked on %3 of this answer's %Ln token.</numerusform><numerusform>Expert %1 of layer %2 worked on %3 of this answer's %Ln tokens.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Expert %1 of layer %2 worked on none of this answer's %Ln token(s).</source>
        <translation><numerusform>Expert %1 of layer %2 did not work on this answer's %Ln token.</numerusform><numerusform>Expert %1 of layer %2 worked on none of this answer's %Ln tokens.</numerusform></translation>
    </message>
    <message>
        <source>In the question: %1 of %2.</source>
        <translation>In the question: %1 of %2.</translation>
    </message>
    <message numerus="yes">
        <source>Layer %1 worked on %2 of this answer's %Ln token(s).</source>
        <translation><numerusform>Layer %1 worked on %2 of this answer's %Ln token.</numerusform><numerusform>Layer %1 worked on %2 of this answer's %Ln tokens.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Layer %1 worked on all of this answer's %Ln token(s).</source>
        <translation><numerusform>Layer %1 worked on this answer's %Ln token.</numerusform><numerusform>Layer %1 worked on all of this answer's %Ln tokens.</numerusform></translation>
    </message>
    <message>
        <source>The colours show the tokens of the selected expert now. To end that, choose what colours the text.</source>
        <translation>The colours show the tokens of the selected expert now. To end that, choose what colours the text.</translation>
    </message>
    <message>
        <source>The colours show the tokens of the selected layer now. To end that, choose what colours the text.</source>
        <translation>The colours show the tokens of the selected layer now. To end that, choose what colours the text.</translation>
    </message>
</context>
<context>
    <name>coterie::app::App</name>
    <message>
        <source>%1, commit %2</source>
        <translation>%1, commit %2</translation>
    </message>
    <message>
        <source>Another window of Coterie is using this folder of chats</source>
        <translation>Another window of Coterie is using this folder of chats</translation>
    </message>
    <message>
        <source>Built from source</source>
        <translation>Built from source</translation>
    </message>
    <message>
        <source>Coterie is already running</source>
        <translation>Coterie is already running</translation>
    </message>
    <message>
        <source>Debian package</source>
        <translation>Debian package</translation>
    </message>
    <message numerus="yes">
        <source>Import %Ln chat(s)</source>
        <translation><numerusform>Import %Ln chat</numerusform><numerusform>Import %Ln chats</numerusform></translation>
    </message>
    <message>
        <source>Package: %1</source>
        <translation>Package: %1</translation>
    </message>
    <message>
        <source>Restore the chat</source>
        <translation>Restore the chat</translation>
    </message>
    <message>
        <source>Use that window, or close it and start again</source>
        <translation>Use that window, or close it and start again</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChartItem</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>At %1: %2</source>
        <translation>At %1: %2</translation>
    </message>
    <message>
        <source>Layer %1: %2</source>
        <translation>Layer %1: %2</translation>
    </message>
    <message>
        <source>Layer %1: half of the tokens between %2 and %3, the median %4</source>
        <translation>Layer %1: half of the tokens between %2 and %3, the median %4</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChatEdits</name>
    <message>
        <source>Continue the answer</source>
        <translation>Continue the answer</translation>
    </message>
    <message>
        <source>Continue without the oldest turns</source>
        <translation>Continue without the oldest turns</translation>
    </message>
    <message>
        <source>Delete the message</source>
        <translation>Delete the message</translation>
    </message>
    <message>
        <source>Fork into a new chat</source>
        <translation>Fork into a new chat</translation>
    </message>
    <message>
        <source>Restore the message</source>
        <translation>Restore the message</translation>
    </message>
    <message>
        <source>Show another version</source>
        <translation>Show another version</translation>
    </message>
    <message>
        <source>Show the model the whole conversation</source>
        <translation>Show the model the whole conversation</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChatExchange</name>
    <message numerus="yes">
        <source>%1 and %Ln more file(s)</source>
        <translation><numerusform>%1 and %Ln more file</numerusform><numerusform>%1 and %Ln more files</numerusform></translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) were exported.</source>
        <translation><numerusform>%Ln chat was exported.</numerusform><numerusform>%Ln chats were exported.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) were here already.</source>
        <translation><numerusform>%Ln chat was here already.</numerusform><numerusform>%Ln chats were here already.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) were imported.</source>
        <translation><numerusform>%Ln chat was imported.</numerusform><numerusform>%Ln chats were imported.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) were left out:</source>
        <translation><numerusform>%Ln chat was left out:</numerusform><numerusform>%Ln chats were left out:</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln of %1 chat(s) were imported.</source>
        <translation><numerusform>%Ln of %1 chats was imported.</numerusform><numerusform>%Ln of %1 chats were imported.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them have other messages than the same chat(s) here, and were added beside.</source>
        <translation><numerusform>%Ln of them has other messages than the same chat here, and was added beside it.</numerusform><numerusform>%Ln of them have other messages than the same chats here, and were added beside them.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them were taken back from the bin.</source>
        <translation><numerusform>%Ln of them was taken back from the bin.</numerusform><numerusform>%Ln of them were taken back from the bin.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s) or other file(s) of these chats were not imported. A note is in the place of each.</source>
        <translation><numerusform>%Ln picture or other file of these chats was not imported. A note is in its place.</numerusform><numerusform>%Ln pictures or other files of these chats were not imported. A note is in the place of each.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln preset(s) that they use were added.</source>
        <translation><numerusform>%Ln preset that they use was added.</numerusform><numerusform>%Ln presets that they use were added.</numerusform></translation>
    </message>
    <message>
        <source>A chat without a title</source>
        <translation>A chat without a title</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Chats of Coterie</source>
        <translation>Chats of Coterie</translation>
    </message>
    <message>
        <source>No chats were found. Everything else was imported.</source>
        <translation>No chats were found. Everything else was imported.</translation>
    </message>
    <message>
        <source>Nothing new was found.</source>
        <translation>Nothing new was found.</translation>
    </message>
    <message>
        <source>Nothing was exported</source>
        <translation>Nothing was exported</translation>
    </message>
    <message>
        <source>The chat was exported.</source>
        <translation>The chat was exported.</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChatFind</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>%1 of more than %2</source>
        <translation>%1 of more than %2</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Not found</translation>
    </message>
    <message>
        <source>Searching&#8230;</source>
        <translation>Searching&#8230;</translation>
    </message>
</context>
<context>
    <name>coterie::app::ChatListModel</name>
    <message>
        <source>"%1"</source>
        <comment>the title of a chat</comment>
        <translation>"%1"</translation>
    </message>
    <message>
        <source>%1 (copy %2)</source>
        <comment>the title of a chat, and a number</comment>
        <translation>%1 (copy %2)</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <comment>the title of a chat</comment>
        <translation>%1 (copy)</translation>
    </message>
    <message>
        <source>%1. Pinned chats stay under Pinned</source>
        <comment>the sentence before</comment>
        <translation>%1. Pinned chats stay under Pinned</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s)</source>
        <translation><numerusform>%Ln chat</numerusform><numerusform>%Ln chats</numerusform></translation>
    </message>
    <message>
        <source>Delete the chat</source>
        <translation>Delete the chat</translation>
    </message>
    <message>
        <source>Delete the chats</source>
        <translation>Delete the chats</translation>
    </message>
    <message>
        <source>Delete the folder</source>
        <translation>Delete the folder</translation>
    </message>
    <message>
        <source>Deleted %1</source>
        <comment>one or more chats</comment>
        <translation>Deleted %1</translation>
    </message>
    <message>
        <source>Deleted the folder %1</source>
        <translation>Deleted the folder %1</translation>
    </message>
    <message>
        <source>Duplicate the chat</source>
        <translation>Duplicate the chat</translation>
    </message>
    <message>
        <source>Make a folder</source>
        <translation>Make a folder</translation>
    </message>
    <message>
        <source>Move the folder</source>
        <translation>Move the folder</translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation>Move to a folder</translation>
    </message>
    <message>
        <source>Moved %1 out of the folder</source>
        <translation>Moved %1 out of the folder</translation>
    </message>
    <message>
        <source>Moved %1 to %2</source>
        <comment>chats, a folder</comment>
        <translation>Moved %1 to %2</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>New folder</translation>
    </message>
    <message>
        <source>New folder %1</source>
        <translation>New folder %1</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Pin</translation>
    </message>
    <message>
        <source>Pinned %1</source>
        <comment>chats</comment>
        <translation>Pinned %1</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>Rename the chat</translation>
    </message>
    <message>
        <source>Rename the folder</source>
        <translation>Rename the folder</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Unpin</translation>
    </message>
    <message>
        <source>Unpinned %1</source>
        <comment>chats</comment>
        <translation>Unpinned %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::CommandFilter</name>
    <message>
        <source>%1: %2</source>
        <comment>a page, and the words to find there</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>coterie::app::CommandList</name>
    <message>
        <source>%1 (%2)</source>
        <comment>what a button does (its key)</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>coterie::app::ComposerFiles</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <comment>of a file</comment>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Attach %1</source>
        <translation>Attach %1</translation>
    </message>
    <message>
        <source>It is longer than any model can read</source>
        <translation>It is longer than any model can read</translation>
    </message>
    <message>
        <source>Paste a part of it</source>
        <translation>Paste a part of it</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Pasted text</translation>
    </message>
    <message>
        <source>Take out the file %1</source>
        <translation>Take out the file %1</translation>
    </message>
    <message>
        <source>The text was not pasted</source>
        <translation>The text was not pasted</translation>
    </message>
    <message>
        <source>Took out the file %1</source>
        <translation>Took out the file %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::ContextView</name>
    <message>
        <source>A branch at this word has no room in the context.</source>
        <translation>A branch at this word has no room in the context.</translation>
    </message>
    <message>
        <source>Another answer has no room in the context.</source>
        <translation>Another answer has no room in the context.</translation>
    </message>
    <message>
        <source>Continue without the oldest turns</source>
        <translation>Continue without the oldest turns</translation>
    </message>
    <message numerus="yes">
        <source>It is %Ln token(s) too long.</source>
        <translation><numerusform>It is %Ln token too long.</numerusform><numerusform>It is %Ln tokens too long.</numerusform></translation>
    </message>
    <message>
        <source>Larger context</source>
        <translation>Larger context</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>New chat</translation>
    </message>
    <message>
        <source>Remove the file</source>
        <translation>Remove the file</translation>
    </message>
    <message>
        <source>Shorten the message</source>
        <translation>Shorten the message</translation>
    </message>
    <message>
        <source>The answer has no room to go on.</source>
        <translation>The answer has no room to go on.</translation>
    </message>
    <message numerus="yes">
        <source>The context is full. The conversation is %Ln token(s) too long for a next message.</source>
        <translation><numerusform>The context is full. The conversation is %Ln token too long for a next message.</numerusform><numerusform>The context is full. The conversation is %Ln tokens too long for a next message.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The conversation is %Ln token(s) too long with it.</source>
        <translation><numerusform>The conversation is %Ln token too long with it.</numerusform><numerusform>The conversation is %Ln tokens too long with it.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The conversation is %Ln token(s) too long with the file %1.</source>
        <translation><numerusform>The conversation is %Ln token too long with the file %1.</numerusform><numerusform>The conversation is %Ln tokens too long with the file %1.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The conversation is %Ln token(s) too long.</source>
        <translation><numerusform>The conversation is %Ln token too long.</numerusform><numerusform>The conversation is %Ln tokens too long.</numerusform></translation>
    </message>
    <message>
        <source>The edited message has no room in the context.</source>
        <translation>The edited message has no room in the context.</translation>
    </message>
    <message>
        <source>The waiting message has no room in the context.</source>
        <translation>The waiting message has no room in the context.</translation>
    </message>
    <message>
        <source>This message has no room in the context.</source>
        <translation>This message has no room in the context.</translation>
    </message>
</context>
<context>
    <name>coterie::app::Conversation</name>
    <message>
        <source>A file is still being read</source>
        <translation>A file is still being read</translation>
    </message>
    <message>
        <source>Go back to the new chat and send it again to see what helps</source>
        <translation>Go back to the new chat and send it again to see what helps</translation>
    </message>
    <message>
        <source>It has no room in the context</source>
        <translation>It has no room in the context</translation>
    </message>
    <message>
        <source>It is longer than any model can read</source>
        <translation>It is longer than any model can read</translation>
    </message>
    <message>
        <source>Let the model answer without thinking</source>
        <translation>Let the model answer without thinking</translation>
    </message>
    <message>
        <source>Let the model think</source>
        <translation>Let the model think</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Not sent. %1.</source>
        <translation>Not sent. %1.</translation>
    </message>
    <message>
        <source>Not sent: the conversation would be longer than the context</source>
        <translation>Not sent: the conversation would be longer than the context</translation>
    </message>
    <message>
        <source>Open a model and send again</source>
        <translation>Open a model and send again</translation>
    </message>
    <message>
        <source>Open a model and send it from the new chat</source>
        <translation>Open a model and send it from the new chat</translation>
    </message>
    <message>
        <source>Send it in shorter parts</source>
        <translation>Send it in shorter parts</translation>
    </message>
    <message>
        <source>The answer before it is still being written</source>
        <translation>The answer before it is still being written</translation>
    </message>
    <message>
        <source>The message before it is still on its way</source>
        <translation>The message before it is still on its way</translation>
    </message>
    <message>
        <source>The message to the new chat was not sent</source>
        <translation>The message to the new chat was not sent</translation>
    </message>
    <message>
        <source>The message was not put into the queue</source>
        <translation>The message was not put into the queue</translation>
    </message>
    <message>
        <source>The message was not sent</source>
        <translation>The message was not sent</translation>
    </message>
    <message>
        <source>The model is still being opened</source>
        <translation>The model is still being opened</translation>
    </message>
    <message>
        <source>Wait a moment and send again</source>
        <translation>Wait a moment and send again</translation>
    </message>
    <message>
        <source>Wait for it to end or stop it, then send again</source>
        <translation>Wait for it to end or stop it, then send again</translation>
    </message>
</context>
<context>
    <name>coterie::app::DeviceList</name>
    <message>
        <source>It passed its self-test. Whether it is faster than the processor, nothing has measured.</source>
        <translation>It passed its self-test. Whether it is faster than the processor, nothing has measured.</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Processor</translation>
    </message>
    <message>
        <source>This is no graphics processor: a driver imitates one on the processor, and is slower than it.</source>
        <translation>This is no graphics processor: a driver imitates one on the processor, and is slower than it.</translation>
    </message>
</context>
<context>
    <name>coterie::app::ExpertGrid</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln token(s)</source>
        <translation><numerusform>%1 of %Ln token</numerusform><numerusform>%1 of %Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>%1 of its layer's uses</source>
        <translation>%1 of its layer's uses</translation>
    </message>
    <message>
        <source>%1 points less</source>
        <translation>%1 points less</translation>
    </message>
    <message>
        <source>%1 points more</source>
        <translation>%1 points more</translation>
    </message>
    <message>
        <source>%1, expert %2: %3</source>
        <translation>%1, expert %2: %3</translation>
    </message>
    <message>
        <source>%1, not read until it was needed</source>
        <translation>%1, not read until it was needed</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1k</source>
        <translation>%1k</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Layer %1</translation>
    </message>
    <message>
        <source>Layer %1 (%2)</source>
        <translation>Layer %1 (%2)</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>attention</translation>
    </message>
    <message>
        <source>attention to the latest tokens</source>
        <translation>attention to the latest tokens</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>being read</translation>
    </message>
    <message>
        <source>delta rule</source>
        <translation>delta rule</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>dense</translation>
    </message>
    <message>
        <source>dense, every token uses all of it</source>
        <translation>dense, every token uses all of it</translation>
    </message>
    <message>
        <source>did not wait</source>
        <translation>did not wait</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>expert</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>in memory</translation>
    </message>
    <message>
        <source>in the GPU's memory</source>
        <translation>in the GPU's memory</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>layer</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>no difference</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>not used</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>on disk</translation>
    </message>
    <message>
        <source>short convolution</source>
        <translation>short convolution</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>waited</translation>
    </message>
    <message>
        <source>waited %1</source>
        <translation>waited %1</translation>
    </message>
    <message>
        <source>waited %1 for the disk</source>
        <translation>waited %1 for the disk</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>weight %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::ExpertMapItem</name>
    <message>
        <source>Choose another place, or make room</source>
        <translation>Choose another place, or make room</translation>
    </message>
    <message>
        <source>The picture was not saved</source>
        <translation>The picture was not saved</translation>
    </message>
</context>
<context>
    <name>coterie::app::Inspector</name>
    <message numerus="yes">
        <source>%Ln more token(s) since you asked.</source>
        <translation><numerusform>%Ln more token since you asked.</numerusform><numerusform>%Ln more tokens since you asked.</numerusform></translation>
    </message>
    <message>
        <source>.</source>
        <translation>.</translation>
    </message>
    <message>
        <source>. </source>
        <translation>. </translation>
    </message>
    <message>
        <source>A model is being opened. When it answers, watch here what it does.</source>
        <translation>A model is being opened. When it answers, watch here what it does.</translation>
    </message>
    <message>
        <source>No model is open. Open one, and watch here what it does while it answers.</source>
        <translation>No model is open. Open one, and watch here what it does while it answers.</translation>
    </message>
    <message>
        <source>The model's activity is not shown.</source>
        <translation>The model's activity is not shown.</translation>
    </message>
    <message>
        <source>The prompt is being read.</source>
        <translation>The prompt is being read.</translation>
    </message>
    <message>
        <source>The record of this answer is being read.</source>
        <translation>The record of this answer is being read.</translation>
    </message>
    <message>
        <source>There is no answer yet. Send a message, and watch here what the experts do.</source>
        <translation>There is no answer yet. Send a message, and watch here what the experts do.</translation>
    </message>
    <message>
        <source>There is no answer yet. Send a message, and watch here what the layers do.</source>
        <translation>There is no answer yet. Send a message, and watch here what the layers do.</translation>
    </message>
    <message>
        <source>There is nothing to show of this answer: the device that computed it does not report what the experts did.</source>
        <translation>There is nothing to show of this answer: the device that computed it does not report what the experts did.</translation>
    </message>
    <message>
        <source>There is nothing to show of this answer: the device that computed it does not report what the layers did.</source>
        <translation>There is nothing to show of this answer: the device that computed it does not report what the layers did.</translation>
    </message>
    <message>
        <source>This answer</source>
        <translation>This answer</translation>
    </message>
    <message>
        <source>This answer has no record, and records are not kept now. The settings can change that.</source>
        <translation>This answer has no record, and records are not kept now. The settings can change that.</translation>
    </message>
    <message>
        <source>This answer has no record, because it ended before the model wrote anything.</source>
        <translation>This answer has no record, because it ended before the model wrote anything.</translation>
    </message>
    <message>
        <source>This answer has no record: somebody edited it, it was written while records were not kept, it was copied from another chat or a file, or its record was removed to make room.</source>
        <translation>This answer has no record: somebody edited it, it was written while records were not kept, it was copied from another chat or a file, or its record was removed to make room.</translation>
    </message>
    <message>
        <source>This answer has no record: the program ended before it was kept, somebody edited the answer, it was written while records were not kept, it was copied from another chat or a file, or its record was removed to make room.</source>
        <translation>This answer has no record: the program ended before it was kept, somebody edited the answer, it was written while records were not kept, it was copied from another chat or a file, or its record was removed to make room.</translation>
    </message>
    <message>
        <source>This answer waits for the one before it.</source>
        <translation>This answer waits for the one before it.</translation>
    </message>
    <message>
        <source>This answer, by %1</source>
        <translation>This answer, by %1</translation>
    </message>
    <message>
        <source>This is another answer.</source>
        <translation>This is another answer.</translation>
    </message>
</context>
<context>
    <name>coterie::app::InspectorFiles</name>
    <message>
        <source>%1 - figures</source>
        <translation>%1 - figures</translation>
    </message>
    <message>
        <source>%1 - tokens</source>
        <translation>%1 - tokens</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Choose an answer that has one</source>
        <translation>Choose an answer that has one</translation>
    </message>
    <message>
        <source>Choose another place, or make room</source>
        <translation>Choose another place, or make room</translation>
    </message>
    <message>
        <source>Different experts used, by tokens</source>
        <translation>Different experts used, by tokens</translation>
    </message>
    <message>
        <source>How many experts each layer uses</source>
        <translation>How many experts each layer uses</translation>
    </message>
    <message>
        <source>How unevenly each layer uses its experts</source>
        <translation>How unevenly each layer uses its experts</translation>
    </message>
    <message>
        <source>Let a model answer first</source>
        <translation>Let a model answer first</translation>
    </message>
    <message>
        <source>Model activity</source>
        <translation>Model activity</translation>
    </message>
    <message>
        <source>Share from memory, by the room for experts</source>
        <translation>Share from memory, by the room for experts</translation>
    </message>
    <message>
        <source>Share of active neurons in each layer</source>
        <translation>Share of active neurons in each layer</translation>
    </message>
    <message>
        <source>The file has no words of the prompt, because an earlier version of Coterie wrote the record.</source>
        <translation>The file has no words of the prompt, because an earlier version of Coterie wrote the record.</translation>
    </message>
    <message>
        <source>The file has only the numbers of the prompt's tokens. To have their words, too, open the model that wrote the answer.</source>
        <translation>The file has only the numbers of the prompt's tokens. To have their words, too, open the model that wrote the answer.</translation>
    </message>
    <message>
        <source>The picture was not saved</source>
        <translation>The picture was not saved</translation>
    </message>
    <message>
        <source>The record was not saved</source>
        <translation>The record was not saved</translation>
    </message>
    <message>
        <source>There is no record</source>
        <translation>There is no record</translation>
    </message>
    <message>
        <source>There is nothing to show yet</source>
        <translation>There is nothing to show yet</translation>
    </message>
    <message>
        <source>This answer</source>
        <translation>This answer</translation>
    </message>
</context>
<context>
    <name>coterie::app::MessageActions</name>
    <message>
        <source>%1, and another model wrote them</source>
        <translation>%1, and another model wrote them</translation>
    </message>
    <message>
        <source>%1, and not all of them were kept</source>
        <translation>%1, and not all of them were kept</translation>
    </message>
    <message>
        <source>An answer is still being written</source>
        <translation>An answer is still being written</translation>
    </message>
    <message>
        <source>Another answer of this chat is being written</source>
        <translation>Another answer of this chat is being written</translation>
    </message>
    <message>
        <source>Another answer of this chat is still being written</source>
        <translation>Another answer of this chat is still being written</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>Edit the answer</translation>
    </message>
    <message>
        <source>Edit the message</source>
        <translation>Edit the message</translation>
    </message>
    <message>
        <source>Fork of %1</source>
        <translation>Fork of %1</translation>
    </message>
    <message>
        <source>It ends in a thought, so its tokens are needed</source>
        <translation>It ends in a thought, so its tokens are needed</translation>
    </message>
    <message>
        <source>It has a thought after a text, so its tokens are needed</source>
        <translation>It has a thought after a text, so its tokens are needed</translation>
    </message>
    <message>
        <source>It uses tools, so its tokens are needed</source>
        <translation>It uses tools, so its tokens are needed</translation>
    </message>
    <message>
        <source>Its text so far was made into tokens again, because the original ones are not known.</source>
        <translation>Its text so far was made into tokens again, because the original ones are not known.</translation>
    </message>
    <message>
        <source>Leave the edit</source>
        <translation>Leave the edit</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>No model is open</translation>
    </message>
    <message>
        <source>Open a model and try again</source>
        <translation>Open a model and try again</translation>
    </message>
    <message>
        <source>Regenerate it instead</source>
        <translation>Regenerate it instead</translation>
    </message>
    <message>
        <source>Regenerate the answer</source>
        <translation>Regenerate the answer</translation>
    </message>
    <message>
        <source>Start Coterie again</source>
        <translation>Start Coterie again</translation>
    </message>
    <message>
        <source>The answer can't be continued</source>
        <translation>The answer can't be continued</translation>
    </message>
    <message>
        <source>The answer was not begun</source>
        <translation>The answer was not begun</translation>
    </message>
    <message>
        <source>The answer was not changed</source>
        <translation>The answer was not changed</translation>
    </message>
    <message>
        <source>The answer was not continued</source>
        <translation>The answer was not continued</translation>
    </message>
    <message>
        <source>The file of chats is not open</source>
        <translation>The file of chats is not open</translation>
    </message>
    <message>
        <source>The message was not sent</source>
        <translation>The message was not sent</translation>
    </message>
    <message>
        <source>The model is still being opened</source>
        <translation>The model is still being opened</translation>
    </message>
    <message>
        <source>The other model was not opened</source>
        <translation>The other model was not opened</translation>
    </message>
    <message>
        <source>Wait a moment and try again</source>
        <translation>Wait a moment and try again</translation>
    </message>
    <message>
        <source>Wait for it to end or stop it, then try again</source>
        <translation>Wait for it to end or stop it, then try again</translation>
    </message>
    <message>
        <source>an empty message</source>
        <translation>an empty message</translation>
    </message>
</context>
<context>
    <name>coterie::app::MessageModel</name>
    <message>
        <source>%1 of experts from disk</source>
        <translation>%1 of experts from disk</translation>
    </message>
    <message>
        <source>%1 of layers from disk</source>
        <translation>%1 of layers from disk</translation>
    </message>
    <message>
        <source>%1 of memory</source>
        <translation>%1 of memory</translation>
    </message>
    <message>
        <source>%1 to first token</source>
        <translation>%1 to first token</translation>
    </message>
    <message>
        <source>%1 waiting for the disk</source>
        <translation>%1 waiting for the disk</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <comment>a model</comment>
        <translation>%1, edited</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <comment>of an answer</comment>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Less exact: %1 of router choices used other or fewer experts</source>
        <translation>Less exact: %1 of router choices used other or fewer experts</translation>
    </message>
    <message>
        <source>Less exact: it continues a less exact answer</source>
        <translation>Less exact: it continues a less exact answer</translation>
    </message>
    <message>
        <source>hit rate %1</source>
        <translation>hit rate %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::ModelController</name>
    <message>
        <source>%1 billion</source>
        <translation>%1 billion</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <comment>a setting</comment>
        <translation>%1 changed</translation>
    </message>
    <message>
        <source>%1 in %2 files</source>
        <translation>%1 in %2 files</translation>
    </message>
    <message>
        <source>%1 million</source>
        <translation>%1 million</translation>
    </message>
    <message>
        <source>%1 was moved or deleted, or its disk is not connected</source>
        <translation>%1 was moved or deleted, or its disk is not connected</translation>
    </message>
    <message>
        <source>%1, of which each token uses %2</source>
        <translation>%1, of which each token uses %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <comment>of a context</comment>
        <translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>Bring it back and open it again, or choose another model</source>
        <translation>Bring it back and open it again, or choose another model</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Change %1</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo model</translation>
    </message>
    <message>
        <source>Experts in a layer</source>
        <translation>Experts in a layer</translation>
    </message>
    <message>
        <source>Install Coterie again, or open another model</source>
        <translation>Install Coterie again, or open another model</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Layers</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Licence</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>Longest context</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameters</translation>
    </message>
    <message>
        <source>Quantisation</source>
        <translation>Quantisation</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>Size on disk</translation>
    </message>
    <message>
        <source>The demo model can't be opened</source>
        <translation>The demo model can't be opened</translation>
    </message>
    <message>
        <source>The model's file isn't there</source>
        <translation>The model's file isn't there</translation>
    </message>
</context>
<context>
    <name>coterie::app::Panes</name>
    <message>
        <source>Move the message to a new chat</source>
        <translation>Move the message to a new chat</translation>
    </message>
    <message>
        <source>Moved the message to a new chat</source>
        <translation>Moved the message to a new chat</translation>
    </message>
    <message>
        <source>No second chat was opened</source>
        <translation>No second chat was opened</translation>
    </message>
    <message>
        <source>Send a message here first, then try again</source>
        <translation>Send a message here first, then try again</translation>
    </message>
    <message>
        <source>This chat is new, and there is no other one</source>
        <translation>This chat is new, and there is no other one</translation>
    </message>
</context>
<context>
    <name>coterie::app::Presets</name>
    <message>
        <source>%1 %2</source>
        <comment>a name and a number</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Balanced</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>Creative</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>Precise</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Preset</translation>
    </message>
</context>
<context>
    <name>coterie::app::PromptQueue</name>
    <message>
        <source>Cancel the waiting message</source>
        <translation>Cancel the waiting message</translation>
    </message>
    <message>
        <source>Cancelled the waiting message</source>
        <translation>Cancelled the waiting message</translation>
    </message>
    <message>
        <source>Edit the waiting message</source>
        <translation>Edit the waiting message</translation>
    </message>
    <message>
        <source>Leave the waiting message as it was</source>
        <translation>Leave the waiting message as it was</translation>
    </message>
    <message>
        <source>Not sent yet: it waits until you send it</source>
        <translation>Not sent yet: it waits until you send it</translation>
    </message>
    <message>
        <source>Not sent yet: the program was closed before</source>
        <translation>Not sent yet: the program was closed before</translation>
    </message>
    <message>
        <source>Not sent. %1.</source>
        <translation>Not sent. %1.</translation>
    </message>
    <message>
        <source>Not sent: no model is open</source>
        <translation>Not sent: no model is open</translation>
    </message>
    <message>
        <source>Not sent: the answer before it failed</source>
        <translation>Not sent: the answer before it failed</translation>
    </message>
    <message>
        <source>Not sent: the answer before it was stopped</source>
        <translation>Not sent: the answer before it was stopped</translation>
    </message>
    <message>
        <source>Not sent: the chat can't be opened</source>
        <translation>Not sent: the chat can't be opened</translation>
    </message>
    <message>
        <source>The waiting message is as it was</source>
        <translation>The waiting message is as it was</translation>
    </message>
    <message>
        <source>The waiting message is in the composer</source>
        <translation>The waiting message is in the composer</translation>
    </message>
    <message>
        <source>Will be sent after this answer</source>
        <translation>Will be sent after this answer</translation>
    </message>
    <message>
        <source>Will be sent when the model is open</source>
        <translation>Will be sent when the model is open</translation>
    </message>
</context>
<context>
    <name>coterie::app::Sentences</name>
    <message>
        <source>%1.</source>
        <comment>a sentence without its full stop</comment>
        <translation>%1.</translation>
    </message>
</context>
<context>
    <name>coterie::app::SettingEditor</name>
    <message>
        <source>%1 changed</source>
        <comment>a setting</comment>
        <translation>%1 changed</translation>
    </message>
    <message>
        <source>Bring back Coterie's presets</source>
        <translation>Bring back Coterie's presets</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Change %1</translation>
    </message>
    <message>
        <source>Choose the preset of the chat</source>
        <translation>Choose the preset of the chat</translation>
    </message>
    <message>
        <source>Coterie's presets are back</source>
        <translation>Coterie's presets are back</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Default</translation>
    </message>
    <message>
        <source>Delete the preset %1</source>
        <translation>Delete the preset %1</translation>
    </message>
    <message>
        <source>Deleted the preset %1</source>
        <translation>Deleted the preset %1</translation>
    </message>
    <message>
        <source>Duplicate the preset</source>
        <translation>Duplicate the preset</translation>
    </message>
    <message>
        <source>From the preset %1</source>
        <translation>From the preset %1</translation>
    </message>
    <message>
        <source>From the settings of %1</source>
        <translation>From the settings of %1</translation>
    </message>
    <message>
        <source>From the settings of all chats</source>
        <translation>From the settings of all chats</translation>
    </message>
    <message>
        <source>Made the preset %1</source>
        <translation>Made the preset %1</translation>
    </message>
    <message>
        <source>Make a preset</source>
        <translation>Make a preset</translation>
    </message>
    <message>
        <source>My preset</source>
        <translation>My preset</translation>
    </message>
    <message>
        <source>Open a model to give it values of its own.</source>
        <translation>Open a model to give it values of its own.</translation>
    </message>
    <message>
        <source>Remove the value of %1 that is set here</source>
        <translation>Remove the value of %1 that is set here</translation>
    </message>
    <message>
        <source>Removed the chat's own values</source>
        <translation>Removed the chat's own values</translation>
    </message>
    <message>
        <source>Removed the chat's own values. It still uses the preset %1.</source>
        <translation>Removed the chat's own values. It still uses the preset %1.</translation>
    </message>
    <message>
        <source>Removed the values of %1</source>
        <translation>Removed the values of %1</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>Rename the preset</translation>
    </message>
    <message>
        <source>Renamed the preset to %1</source>
        <translation>Renamed the preset to %1</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>Reset %1</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>Reset %1 to its default</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Reset all settings</translation>
    </message>
    <message>
        <source>Reset the values</source>
        <translation>Reset the values</translation>
    </message>
    <message>
        <source>The chat uses no preset</source>
        <translation>The chat uses no preset</translation>
    </message>
    <message>
        <source>The chat uses the preset %1</source>
        <translation>The chat uses the preset %1</translation>
    </message>
    <message>
        <source>The defaults are back. Models, presets and chats keep their own values.</source>
        <translation>The defaults are back. Models, presets and chats keep their own values.</translation>
    </message>
    <message>
        <source>The preset has the values that it came with</source>
        <translation>The preset has the values that it came with</translation>
    </message>
    <message>
        <source>The preset sets no values now</source>
        <translation>The preset sets no values now</translation>
    </message>
    <message>
        <source>There are no presets. A preset is a set of values that chats can use.</source>
        <translation>There are no presets. A preset is a set of values that chats can use.</translation>
    </message>
    <message>
        <source>These values apply to all chats that use this preset, unless a chat has a value of its own.</source>
        <translation>These values apply to all chats that use this preset, unless a chat has a value of its own.</translation>
    </message>
    <message>
        <source>These values apply to all chats, unless a model, a preset or a chat has a value of its own.</source>
        <translation>These values apply to all chats, unless a model, a preset or a chat has a value of its own.</translation>
    </message>
    <message>
        <source>These values apply to this chat only. They come before those of its preset, of the model and of all chats.</source>
        <translation>These values apply to this chat only. They come before those of its preset, of the model and of all chats.</translation>
    </message>
    <message>
        <source>These values apply whenever %1 answers, unless a preset or a chat has a value of its own.</source>
        <translation>These values apply whenever %1 answers, unless a preset or a chat has a value of its own.</translation>
    </message>
</context>
<context>
    <name>coterie::app::TokenAlternatives</name>
    <message>
        <source>An answer is being written. The alternatives are computed after it.</source>
        <translation>An answer is being written. The alternatives are computed after it.</translation>
    </message>
    <message>
        <source>Another answer of this chat is being written</source>
        <translation>Another answer of this chat is being written</translation>
    </message>
    <message>
        <source>Another model wrote this answer. Open %1 to see its alternatives.</source>
        <translation>Another model wrote this answer. Open %1 to see its alternatives.</translation>
    </message>
    <message>
        <source>Branch at a word</source>
        <translation>Branch at a word</translation>
    </message>
    <message numerus="yes">
        <source>Computed now from the scores of all %Ln token(s) that the model knows (its whole output head), so the probabilities are exact.</source>
        <translation><numerusform>Computed now from the scores of the %Ln token that the model knows (its whole output head), so the probabilities are exact.</numerusform><numerusform>Computed now from the scores of all %Ln tokens that the model knows (its whole output head), so the probabilities are exact.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Computed now from the scores of all %Ln token(s) that the model knows (its whole output head), with the chat's system prompt and tools of now. They were others when the answer was written, so the probabilities then were others too.</source>
        <translation><numerusform>Computed now from the scores of the %Ln token that the model knows (its whole output head), with the chat's system prompt and tools of now. They were others when the answer was written, so the probabilities then were others too.</numerusform><numerusform>Computed now from the scores of all %Ln tokens that the model knows (its whole output head), with the chat's system prompt and tools of now. They were others when the answer was written, so the probabilities then were others too.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Computed now from the scores of all %Ln token(s) that the model knows (its whole output head). The text before was read less exactly, so these probabilities are less exact too.</source>
        <translation><numerusform>Computed now from the scores of the %Ln token that the model knows (its whole output head). The text before was read less exactly, so these probabilities are less exact too.</numerusform><numerusform>Computed now from the scores of all %Ln tokens that the model knows (its whole output head). The text before was read less exactly, so these probabilities are less exact too.</numerusform></translation>
    </message>
    <message>
        <source>No model is open. Open %1 to see the alternatives.</source>
        <translation>No model is open. Open %1 to see the alternatives.</translation>
    </message>
    <message>
        <source>Recorded when the answer was written, from the scores of all tokens that the model knows (its whole output head).</source>
        <translation>Recorded when the answer was written, from the scores of all tokens that the model knows (its whole output head).</translation>
    </message>
    <message>
        <source>The alternatives are being computed.</source>
        <translation>The alternatives are being computed.</translation>
    </message>
    <message>
        <source>The alternatives can't be computed. %1.</source>
        <translation>The alternatives can't be computed. %1.</translation>
    </message>
    <message>
        <source>The answer is still being written.</source>
        <translation>The answer is still being written.</translation>
    </message>
    <message>
        <source>The answer was not begun</source>
        <translation>The answer was not begun</translation>
    </message>
    <message>
        <source>The model writes nothing here: the context is full.</source>
        <translation>The model writes nothing here: the context is full.</translation>
    </message>
    <message>
        <source>The tokens of this answer were not kept, so its alternatives are not known.</source>
        <translation>The tokens of this answer were not kept, so its alternatives are not known.</translation>
    </message>
    <message>
        <source>Wait for it to end or stop it, then try again</source>
        <translation>Wait for it to end or stop it, then try again</translation>
    </message>
    <message numerus="yes">
        <source>While the answer was written, only about %1 of the tokens that the model knows got a score (a part of its output head). For this list all %Ln token(s) did, so the probabilities are exact.</source>
        <translation><numerusform>While the answer was written, only about %1 of the tokens that the model knows got a score (a part of its output head). For this list the %Ln token did, so the probability is exact.</numerusform><numerusform>While the answer was written, only about %1 of the tokens that the model knows got a score (a part of its output head). For this list all %Ln tokens did, so the probabilities are exact.</numerusform></translation>
    </message>
</context>
<context>
    <name>coterie::app::TokenStripItem</name>
    <message>
        <source>%1 (thought)</source>
        <translation>%1 (thought)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1; thoughts are underlined</source>
        <translation>%1; thoughts are underlined</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln token(s) of the answer</source>
        <translation><numerusform>The one token of the answer</numerusform><numerusform>All %Ln tokens of the answer</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>All %Ln token(s) of the prompt</source>
        <translation><numerusform>The one token of the prompt</numerusform><numerusform>All %Ln tokens of the prompt</numerusform></translation>
    </message>
    <message>
        <source>Tokens %1 to %2 of %3</source>
        <translation>Tokens %1 to %2 of %3</translation>
    </message>
    <message>
        <source>Tokens %1 to %2 of the prompt's %3</source>
        <translation>Tokens %1 to %2 of the prompt's %3</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>no text</translation>
    </message>
</context>
<context>
    <name>coterie::app::ToolRunner</name>
    <message>
        <source>%1 is always allowed from now on</source>
        <comment>a tool</comment>
        <translation>%1 is always allowed from now on</translation>
    </message>
    <message>
        <source>%1 is never allowed from now on</source>
        <comment>a tool</comment>
        <translation>%1 is never allowed from now on</translation>
    </message>
    <message>
        <source>Always allow %1</source>
        <comment>a tool</comment>
        <translation>Always allow %1</translation>
    </message>
    <message>
        <source>Never allow %1</source>
        <comment>a tool</comment>
        <translation>Never allow %1</translation>
    </message>
    <message>
        <source>Send a message to go on</source>
        <translation>Send a message to go on</translation>
    </message>
    <message numerus="yes">
        <source>The model has called tools %Ln time(s) without an answer</source>
        <translation><numerusform>The model has called tools %Ln time without an answer</numerusform><numerusform>The model has called tools %Ln times without an answer</numerusform></translation>
    </message>
    <message>
        <source>The tools were not run</source>
        <translation>The tools were not run</translation>
    </message>
</context>
<context>
    <name>coterie::app::UndoStack</name>
    <message>
        <source>Done again: %1</source>
        <translation>Done again: %1</translation>
    </message>
    <message>
        <source>Done last: %1</source>
        <translation>Done last: %1</translation>
    </message>
    <message>
        <source>Undone last: %1</source>
        <translation>Undone last: %1</translation>
    </message>
    <message>
        <source>Undone: %1</source>
        <translation>Undone: %1</translation>
    </message>
</context>
<context>
    <name>coterie::app::Units</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation><numerusform>%Ln byte</numerusform><numerusform>%Ln bytes</numerusform></translation>
    </message>
    <message>
        <source>&lt;%1 %</source>
        <translation>&lt;%1 %</translation>
    </message>
    <message>
        <source>&lt;%1 s</source>
        <translation>&lt;%1 s</translation>
    </message>
    <message>
        <source>&gt;%1 %</source>
        <translation>&gt;%1 %</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>about %1 min left</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>less than a minute left</translation>
    </message>
    <message>
        <source>less than half a minute left</source>
        <translation>less than half a minute left</translation>
    </message>
</context>
</TS>
